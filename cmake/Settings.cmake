# Compiler settings travel as targets: kb_settings for our own code only, never
# for third-party headers.
add_library(kb_settings INTERFACE)
target_compile_options(kb_settings INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Wold-style-cast
  -Woverloaded-virtual -Wimplicit-fallthrough -Werror)
target_compile_definitions(kb_settings INTERFACE KB_VERSION="${PROJECT_VERSION}")

set(KB_SANITIZE "" CACHE STRING "Sanitizers for all of our code: address,undefined or thread")
if(KB_SANITIZE)
  add_compile_options(-fsanitize=${KB_SANITIZE} -fno-omit-frame-pointer -g)
  add_link_options(-fsanitize=${KB_SANITIZE})
  target_compile_definitions(kb_settings INTERFACE KB_SANITIZE="${KB_SANITIZE}")
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # GCC's flow analysis sees ghosts in instrumented library code; the same
    # code is compiled with these warnings by the other presets.
    target_compile_options(kb_settings INTERFACE -Wno-maybe-uninitialized
      -Wno-free-nonheap-object -Wno-restrict)
  endif()
else()
  # What we ship depends on glibc only (design: relocatable build/dist).
  add_link_options(-static-libstdc++ -static-libgcc -Wl,--gc-sections)
  add_compile_options(-ffunction-sections -fdata-sections)
endif()
add_link_options(-Wl,--as-needed)

option(KB_FUZZ "Build tests/fuzz with libFuzzer; needs clang and KB_SANITIZE" OFF)
if(KB_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link)
  # Clang complains of what the library's own stable_sort uses.
  target_compile_options(kb_settings INTERFACE -Wno-deprecated-declarations)
endif()

# Two cores build everything in CI. Most of our time is spent waiting for
# devices and processes, and a test runs once.
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG")
set(KB_TEST_OPTIONS $<$<CONFIG:Release>:-O1>)

find_program(KB_CCACHE ccache)
if(KB_CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${KB_CCACHE})
endif()
