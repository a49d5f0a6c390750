// expect: runtime_error cuda=not_run
// problem: level1/19
// about: Dereferences a null pointer; the signal is reported, the run goes on.
#include <kernelbench/candidate.h>

int kb_forward(const kb_call* call) {
  volatile float* nowhere = nullptr;
  *nowhere = kb::input<float>(call, 0)[0];
  return 0;
}
