// expect: out_of_memory cuda=not_run
// problem: level1/19
// about: Allocates and touches memory until none is left.
// limits: memory_bytes=1073741824
#include <kernelbench/candidate.h>

#include <vector>

int kb_forward(const kb_call*) {
  constexpr size_t kChunk = 64 << 20;
  std::vector<std::vector<char>> hoard;
  for (;;) hoard.emplace_back(kChunk, 'x');
}
