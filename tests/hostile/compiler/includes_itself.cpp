// expect: compile_error
// problem: level1/19
// tricks: R10
// twin: ../twins/relu.cpp
// limits: compile_seconds=10
// about: Includes itself four times at every level, and says something each time.
#if __INCLUDE_LEVEL__ < 100
#warning "again"
#include __FILE__
#include __FILE__
#include __FILE__
#include __FILE__
#endif
