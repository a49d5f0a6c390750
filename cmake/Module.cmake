include(Precompile)

# kb_module(<name> [PUBLIC_DEPS m...] [DEPS m...] [LIBS target...]
#           [TEST_DEPS m...]   # what only its tests may include
#           [ALONE file...])   # what Precompile.cmake compiles by itself: it has
#                              # names that another file of the module has too
#
# One directory, one static library, one namespace. A module sees the public
# headers of the modules it lists here and of nobody else, because each module's
# include/ directory is on the include path of its dependents only.
function(kb_module name)
  cmake_parse_arguments(M "" "" "PUBLIC_DEPS;DEPS;LIBS;TEST_DEPS;ALONE" ${ARGN})
  set(dir ${CMAKE_CURRENT_SOURCE_DIR})
  file(GLOB public CONFIGURE_DEPENDS ${dir}/include/${name}/*.h)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${dir}/*.cc)
  file(GLOB_RECURSE tests CONFIGURE_DEPENDS ${dir}/*_test.cc)
  if(tests)
    list(REMOVE_ITEM sources ${tests})
  endif()

  foreach(file IN LISTS M_ALONE)
    set_source_files_properties(${dir}/${file} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  endforeach()
  add_library(${name} STATIC ${sources})
  add_library(kb::${name} ALIAS ${name})
  set_target_properties(${name} PROPERTIES OUTPUT_NAME kb_${name})
  target_sources(${name} PUBLIC
    FILE_SET HEADERS BASE_DIRS ${dir}/include FILES ${public})
  target_include_directories(${name} PRIVATE ${dir})
  target_link_libraries(${name} PRIVATE ${M_LIBS} PUBLIC $<BUILD_INTERFACE:kb_settings>)
  kb_precompile(${name} kb_precompiled_modules)
  foreach(dep IN LISTS M_PUBLIC_DEPS M_DEPS M_TEST_DEPS)
    if(NOT TARGET kb::${dep})
      message(FATAL_ERROR "${name} may not depend on ${dep}: src/CMakeLists.txt "
        "lists modules lowest first, and ${dep} does not come before ${name}")
    endif()
  endforeach()
  foreach(dep IN LISTS M_PUBLIC_DEPS)
    target_link_libraries(${name} PUBLIC kb::${dep})
  endforeach()
  foreach(dep IN LISTS M_DEPS)
    target_link_libraries(${name} PRIVATE kb::${dep})
  endforeach()

  if(tests AND BUILD_TESTING)
    add_executable(${name}_test ${tests})
    target_include_directories(${name}_test PRIVATE ${dir})
    target_compile_options(${name}_test PRIVATE ${KB_TEST_OPTIONS})
    target_link_libraries(${name}_test PRIVATE kb::${name} ${M_LIBS} GTest::gtest_main)
    foreach(dep IN LISTS M_DEPS M_TEST_DEPS)
      target_link_libraries(${name}_test PRIVATE kb::${dep})
    endforeach()
    kb_precompile(${name}_test kb_precompiled_tests)
    add_test(NAME ${name} COMMAND ${name}_test)
    set_tests_properties(${name} PROPERTIES LABELS unit TIMEOUT 1200)
  endif()
endfunction()
