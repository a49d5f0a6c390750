// expect: compile_error
// problem: level1/19
// tricks: N15
// twin: ../twins/relu.cpp
// about: Includes what the compiler's parent left open.
#if __has_include("/proc/1/fd/3")
#include "/proc/1/fd/3"
#elif __has_include("/proc/1/cwd/build.ninja")
#include "/proc/1/cwd/build.ninja"
#elif __has_include("/proc/self/fd/9")
#include "/proc/self/fd/9"
#else
#error "nothing is open"
#endif
