// expect: correct|runtime_error|not_certified|incorrect|timeout cuda=not_run
// problem: level1/19
// tricks: T05
// twin: ../twins/relu.cpp
// about: Writes into the pages that it shares with the oracle what it takes for times.
#include <kernelbench/candidate.h>

#include <stdio.h>
#include <string.h>

namespace {

void Relu(const float* x, float* y, int64_t n) {
  for (int64_t i = 0; i < n; ++i) y[i] = x[i] < 0.0f ? 0.0f : x[i];
}

}  // namespace

int kb_forward(const kb_call* call) {
  const float* x = kb::input<float>(call, 0);
  float* y = kb::output<float>(call);
  const int64_t n = kb::numel(call->outputs[0]);
  Relu(x, y, n);
  FILE* maps = fopen("/proc/self/maps", "r");
  char line[512];
  unsigned long begin = 0, end = 0;
  while (maps != nullptr && fgets(line, sizeof line, maps) != nullptr)
    if (strstr(line, "memfd:kernelbench") != nullptr &&
        sscanf(line, "%lx-%lx", &begin, &end) == 2 && end - begin < 65536)
      for (unsigned long at = begin + 2048; at + 8 <= end; at += 8)
        *reinterpret_cast<volatile int64_t*>(at) = 1;
  if (maps != nullptr) fclose(maps);
  return 0;
}
