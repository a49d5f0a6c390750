# kb_precompile(<target> <kb_precompiled_modules|kb_precompiled_tests>)
#
# In a release build, headers that nearly every file includes are compiled once
# for all modules and once for their tests, and up to eight files of a module
# are compiled as one: what they make of the same templates takes most of the
# time. Other builds do without, so that a file which forgets an include of its
# own is noticed there. A file whose names clash with another's is compiled by
# itself (ALONE of kb_module).
set(KB_PRECOMPILED <algorithm> <chrono> <filesystem> <functional> <map> <memory> <optional>
  <string> <string_view> <utility> <vector> <fmt/format.h> <fmt/ranges.h> <nlohmann/json.hpp>)

if(CMAKE_BUILD_TYPE STREQUAL "Release")
  # GCC's flow analysis sees ghosts in what comes from a precompiled header, and
  # GCC takes a file that is compiled with others for a header.
  add_compile_options(-Wno-array-bounds -Wno-restrict -Wno-stringop-overflow
    -Wno-stringop-overread -Wno-subobject-linkage)
  set(none ${CMAKE_CURRENT_BINARY_DIR}/precompiled.cc)
  file(CONFIGURE OUTPUT ${none} CONTENT "")
  add_library(kb_precompiled_modules OBJECT ${none})
  target_link_libraries(kb_precompiled_modules PRIVATE kb_settings)
  target_precompile_headers(kb_precompiled_modules PRIVATE ${KB_PRECOMPILED})
  if(BUILD_TESTING)
    add_executable(kb_precompiled_tests ${none})
    target_compile_options(kb_precompiled_tests PRIVATE ${KB_TEST_OPTIONS})
    target_link_libraries(kb_precompiled_tests PRIVATE kb_settings GTest::gtest_main)
    target_precompile_headers(kb_precompiled_tests PRIVATE ${KB_PRECOMPILED} <gtest/gtest.h>)
  endif()
  if(KB_CCACHE)
    add_compile_options(-fpch-preprocess)
    set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env
      CCACHE_SLOPPINESS=pch_defines,time_macros ${KB_CCACHE})
  endif()
endif()

function(kb_precompile target from)
  if(TARGET ${from})
    target_precompile_headers(${target} REUSE_FROM ${from})
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 8)
  endif()
endfunction()
