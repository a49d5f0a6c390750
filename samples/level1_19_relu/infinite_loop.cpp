// expect: timeout cuda=not_run
// problem: level1/19
// about: Never returns: waits for an element that stays positive.
// limits: call_seconds=3
#include <kernelbench/candidate.h>

int kb_forward(const kb_call* call) {
  volatile float* y = kb::output<float>(call);
  y[0] = 1.0f;
  while (y[0] > 0.0f) y[0] = 1.0f;
  return 0;
}
