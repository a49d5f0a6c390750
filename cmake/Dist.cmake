# build/dist: everything that runs, relocatable; what is carried to another
# machine and released. Only the newest build of any preset is in it, except
# that sanitizer builds keep their own beside their binaries.
if(KB_SANITIZE)
  set(KB_DIST ${CMAKE_BINARY_DIR}/dist)
else()
  set(KB_DIST ${CMAKE_SOURCE_DIR}/build/dist)
endif()

set(KB_DIST_PROGRAMS kernelbench kernelbench-candidate)
set(KB_DIST_LIBRARIES kb_candidate_host kb_oracle_host)
add_custom_target(dist ALL
  COMMAND ${CMAKE_COMMAND} -E make_directory ${KB_DIST}/bin ${KB_DIST}/lib
    ${KB_DIST}/share
  COMMAND ${CMAKE_COMMAND} -E copy_if_different
    $<TARGET_FILE:kernelbench> $<TARGET_FILE:kernelbench-candidate>
    ${KB_DIST}/bin
  COMMAND ${CMAKE_COMMAND} -E copy_if_different
    $<TARGET_FILE:kb_candidate_host> $<TARGET_FILE:kb_oracle_host>
    ${KB_DIST}/lib
  COMMAND ${CMAKE_COMMAND}
    -DSOURCE=${CMAKE_SOURCE_DIR} -DDIST=${KB_DIST}
    -P ${CMAKE_SOURCE_DIR}/cmake/CopyTrees.cmake
  DEPENDS ${KB_DIST_PROGRAMS} ${KB_DIST_LIBRARIES}
  COMMENT "Collecting what runs in ${KB_DIST}"
  VERBATIM)
if(CMAKE_BUILD_TYPE STREQUAL "Release" AND NOT KB_SANITIZE)
  add_custom_command(TARGET dist POST_BUILD
    COMMAND ${CMAKE_STRIP} --strip-unneeded
      ${KB_DIST}/bin/kernelbench ${KB_DIST}/bin/kernelbench-candidate
      ${KB_DIST}/lib/libkb_candidate.so ${KB_DIST}/lib/libkb_oracle.so
    VERBATIM)
endif()
