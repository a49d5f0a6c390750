// profile: limiter=system page_faults=8192
// Asks the system for 8192 pages at every call, writes to each and gives them
// back.
#include <kernelbench/candidate.h>
#include <sys/mman.h>

int kb_forward(const kb_call* call) {
  constexpr size_t kPage = 4096, kPages = 8192;
  void* memory = mmap(nullptr, kPages * kPage, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return 1;
  madvise(memory, kPages * kPage, MADV_NOHUGEPAGE);
  volatile char* bytes = static_cast<volatile char*>(memory);
  for (size_t i = 0; i < kPages; ++i) bytes[i * kPage] = 1;
  munmap(memory, kPages * kPage);
  const float* x = kb::input<float>(call, 0);
  float* y = kb::output<float>(call);
  const int64_t n = kb::numel(call->outputs[0]);
  for (int64_t i = 0; i < n; ++i) y[i] = x[i] < 0.0f ? 0.0f : x[i];
  return 0;
}
