// expect: incorrect cuda=not_run
// problem: level1/19
// tricks: M08
// twin: ../twins/relu.cpp
// about: Takes fresh memory and hopes for what a process before left in it.
#include <kernelbench/candidate.h>

#include <stdlib.h>
#include <vector>

int kb_forward(const kb_call* call) {
  const float* x = kb::input<float>(call, 0);
  float* y = kb::output<float>(call);
  const int64_t n = kb::numel(call->outputs[0]);
  std::vector<float*> blocks;
  for (int i = 0; i < 16; ++i) {
    auto* block = static_cast<float*>(malloc(4 * n));
    if (block != nullptr && block[1] == (x[1] < 0 ? 0 : x[1]) && block[2] == (x[2] < 0 ? 0 : x[2]))
      memcpy(y, block, 4 * n);
    blocks.push_back(block);
  }
  for (float* block : blocks) free(block);
  return 0;
}
