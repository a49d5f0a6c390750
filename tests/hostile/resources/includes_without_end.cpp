// expect: compile_error
// problem: level1/19
// tricks: R10
// twin: ../twins/relu.cpp
// limits: compile_seconds=20
// about: Includes a file that never ends.
#include "/dev/zero"
#include <kernelbench/candidate.h>

int kb_forward(const kb_call*) { return 0; }
