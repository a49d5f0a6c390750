// expect: timeout|runtime_error|incorrect cuda=not_run
// problem: level1/19
// tricks: N18
// twin: ../twins/relu.cpp
// limits: call_seconds=3
// about: Stops its group and its parent while it is judged.
#include <kernelbench/candidate.h>

#include <signal.h>
#include <unistd.h>

int kb_forward(const kb_call* call) {
  float* y = kb::output<float>(call);
  const int64_t n = kb::numel(call->outputs[0]);
  kill(0, SIGSTOP);
  kill(getppid(), SIGSTOP);
  memset(y, 0, 4 * n);
  return 0;
}
