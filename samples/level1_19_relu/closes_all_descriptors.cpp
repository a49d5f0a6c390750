// expect: runtime_error|correct cuda=not_run
// problem: level1/19
// about: Closes every descriptor: its own result may be lost, nobody else's.
#include <kernelbench/candidate.h>
#include <unistd.h>

int kb_forward(const kb_call* call) {
  for (int fd = 0; fd < 4096; ++fd) close(fd);
  const float* x = kb::input<float>(call, 0);
  float* y = kb::output<float>(call);
  const int64_t n = kb::numel(call->outputs[0]);
  for (int64_t i = 0; i < n; ++i) y[i] = x[i] < 0.0f ? 0.0f : x[i];
  return 0;
}
