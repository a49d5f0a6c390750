// expect: incorrect cuda=not_run
// problem: level2/80
// tricks: M01
// twin: ../twins/zeros.cpp
// about: Writes nothing where every answer is zero, as fresh memory is.
#include <kernelbench/candidate.h>

int kb_forward(const kb_call*) { return 0; }
