// expect: runtime_error|incorrect|load_error cuda=not_run
// problem: level1/19
// tricks: R06, N18
// twin: ../twins/relu.cpp
// about: Kills every process that it may.
#include <kernelbench/candidate.h>

#include <signal.h>
#include <unistd.h>

int kb_forward(const kb_call* call) {
  float* y = kb::output<float>(call);
  const int64_t n = kb::numel(call->outputs[0]);
  kill(getppid(), SIGKILL);
  kill(1, SIGKILL);
  kill(-1, SIGKILL);
  memset(y, 0, 4 * n);
  return 0;
}
