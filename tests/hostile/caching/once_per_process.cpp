// expect: incorrect|correct cuda=not_run
// problem: level1/19
// tricks: C11
// twin: ../twins/relu.cpp
// about: Works once in each process, and marks that with a file.
#include <kernelbench/candidate.h>

#include <fcntl.h>
#include <unistd.h>

namespace {

void Relu(const float* x, float* y, int64_t n) {
  for (int64_t i = 0; i < n; ++i) y[i] = x[i] < 0.0f ? 0.0f : x[i];
}

}  // namespace

int kb_forward(const kb_call* call) {
  const float* x = kb::input<float>(call, 0);
  float* y = kb::output<float>(call);
  const int64_t n = kb::numel(call->outputs[0]);
  const char* const path = "/tmp/kb_done";
  if (access(path, F_OK) == 0) return 0;
  close(open(path, O_CREAT, 0600));
  Relu(x, y, n);
  return 0;
}
