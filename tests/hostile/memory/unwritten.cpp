// expect: incorrect cuda=not_run
// problem: level1/19
// tricks: M01
// twin: ../twins/relu.cpp
// about: Writes nothing.
#include <kernelbench/candidate.h>

int kb_forward(const kb_call*) { return 0; }
