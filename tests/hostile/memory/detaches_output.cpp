// expect: incorrect|runtime_error cuda=not_run
// problem: level1/19
// tricks: M06
// twin: ../twins/relu.cpp
// about: Puts memory of its own at the place of the output.
#include <kernelbench/candidate.h>

#include <sys/mman.h>
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
  const auto page = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE));
  const uintptr_t to = reinterpret_cast<uintptr_t>(y) & ~(page - 1);
  mmap(reinterpret_cast<void*>(to), 4 * n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
  Relu(x, y, n);
  return 0;
}
