// expect: incorrect|runtime_error cuda=not_run
// problem: level1/19
// tricks: M06
// twin: ../twins/relu.cpp
// about: Maps the pages of its input at the place of the output: no work at all.
#include <kernelbench/candidate.h>

#include <sys/mman.h>
#include <unistd.h>

int kb_forward(const kb_call* call) {
  const float* x = kb::input<float>(call, 0);
  float* y = kb::output<float>(call);
  const int64_t n = kb::numel(call->outputs[0]);
  const auto page = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE));
  const uintptr_t from = reinterpret_cast<uintptr_t>(x) & ~(page - 1);
  const uintptr_t to = reinterpret_cast<uintptr_t>(y) & ~(page - 1);
  mremap(reinterpret_cast<void*>(from), 0, 4 * n, MREMAP_MAYMOVE | MREMAP_FIXED, reinterpret_cast<void*>(to));
  return 0;
}
