// expect: timeout cuda=not_run
// problem: level1/19
// tricks: R05
// twin: ../twins/relu.cpp
// limits: call_seconds=2
// about: Never answers.
#include <kernelbench/candidate.h>

int kb_forward(const kb_call*) {
  for (volatile int i = 0;;) i = i + 1;
}
