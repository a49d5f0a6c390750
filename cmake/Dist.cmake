# build/dist: everything that runs, relocatable; what is carried to another
# machine and released. Only the newest build of any preset is in it, except
# that sanitizer builds keep their own beside their binaries.
if(KB_SANITIZE)
  set(KB_DIST ${CMAKE_BINARY_DIR}/dist)
else()
  set(KB_DIST ${CMAKE_SOURCE_DIR}/build/dist)
endif()

# What runs inside python3 or beside a candidate cannot bring a sanitizer's
# runtime with it, so a sanitizer build takes these from the release build. Their
# code is under the sanitizer in the tests of oracle and candidate.
set(hosted $<TARGET_FILE:kernelbench-candidate>)
set(hosted_ninja $<TARGET_FILE:kernelbench-ninja>)
set(hosted_libraries $<TARGET_FILE:kb_candidate_host> $<TARGET_FILE:kb_oracle_host>
  $<TARGET_FILE:kb_jail_host>)
if(KB_SANITIZE)
  set(released ${CMAKE_SOURCE_DIR}/build/dist)
  set(hosted ${released}/bin/kernelbench-candidate)
  set(hosted_ninja ${released}/lib/build/ninja)
  set(hosted_libraries ${released}/lib/libkb_candidate.so
    ${released}/lib/libkb_oracle.so ${released}/lib/libkb_jail.so)
endif()
add_custom_target(dist ALL
  COMMAND ${CMAKE_COMMAND} -E make_directory ${KB_DIST}/bin
    ${KB_DIST}/lib/build ${KB_DIST}/share
  COMMAND ${CMAKE_COMMAND} -E copy_if_different
    $<TARGET_FILE:kernelbench> ${hosted} ${KB_DIST}/bin
  COMMAND ${CMAKE_COMMAND} -E copy_if_different ${hosted_libraries} ${KB_DIST}/lib
  COMMAND ${CMAKE_COMMAND} -E copy_if_different ${hosted_ninja} ${KB_DIST}/lib/build
  COMMAND ${CMAKE_COMMAND}
    -DSOURCE=${CMAKE_SOURCE_DIR} -DDIST=${KB_DIST}
    -P ${CMAKE_SOURCE_DIR}/cmake/CopyTrees.cmake
  DEPENDS kernelbench kernelbench-candidate kernelbench-ninja kb_candidate_host
    kb_oracle_host kb_jail_host
  COMMENT "Collecting what runs in ${KB_DIST}"
  VERBATIM)
if(CMAKE_BUILD_TYPE STREQUAL "Release" AND NOT KB_SANITIZE)
  add_custom_command(TARGET dist POST_BUILD
    COMMAND ${CMAKE_STRIP} --strip-unneeded
      ${KB_DIST}/bin/kernelbench ${KB_DIST}/bin/kernelbench-candidate
      ${KB_DIST}/lib/build/ninja ${KB_DIST}/lib/libkb_candidate.so ${KB_DIST}/lib/libkb_oracle.so
      ${KB_DIST}/lib/libkb_jail.so
    VERBATIM)
endif()
