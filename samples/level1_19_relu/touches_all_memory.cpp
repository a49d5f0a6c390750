// expect: out_of_memory cuda=not_run
// problem: level1/19
// about: Allocates and touches memory until none is left.
// limits: memory_bytes=1073741824
#include <kernelbench/candidate.h>

#include <cstdlib>
#include <cstring>

int kb_forward(const kb_call*) {
  constexpr size_t kChunk = 64 << 20;
  for (;;) {
    void* chunk = std::malloc(kChunk);
    if (chunk == nullptr) std::abort();
    std::memset(chunk, 1, kChunk);
  }
}
