// expect: incorrect cpu=not_run
// problem: level1/19
// tricks: M01
// twin: ../twins/relu.cu
// about: Writes nothing, where the reference may have left its answer.
#include <kernelbench/candidate.h>

int kb_forward(const kb_call*) { return 0; }
