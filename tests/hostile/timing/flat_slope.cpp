// expect: correct cuda=not_run
// problem: v3/level1/47
// tricks: T06
// twin: ../twins/sum_small.cpp
// about: Seems slow in the pilot's chains, so that later ones have two calls, and is slow alone.
#include <kernelbench/candidate.h>

#include <stdio.h>
#include <string.h>
#include <time.h>

namespace {

// The oracle's word with the length of the present chain (clock/words.h).
const volatile uint32_t* Calls() {
  constexpr size_t kCalls = 2;
  FILE* maps = fopen("/proc/self/maps", "r");
  const volatile uint32_t* found = nullptr;
  char line[512];
  unsigned long begin = 0, end = 0;
  while (maps != nullptr && fgets(line, sizeof line, maps) != nullptr)
    if (strstr(line, "memfd:kernelbench") != nullptr &&
        sscanf(line, "%lx-%lx", &begin, &end) == 2 && end - begin < 65536)
      found = reinterpret_cast<const volatile uint32_t*>(begin) + kCalls;
  if (maps != nullptr) fclose(maps);
  return found;
}

int64_t Nanos() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * int64_t{1000000000} + now.tv_nsec;
}

void Spin(int64_t micros) {
  const int64_t end = Nanos() + micros * 1000;
  while (Nanos() < end) {
  }
}

}  // namespace

int kb_forward(const kb_call* call) {
  const DLTensor& x = kb::input_tensor(call, 0);
  const auto* data = static_cast<const float*>(x.data);
  float* y = kb::output<float>(call);
  const int64_t rows = x.shape[1], columns = x.shape[2];
  for (int64_t b = 0; b < x.shape[0]; ++b) {
    float* sums = y + b * columns;
    for (int64_t q = 0; q < columns; ++q) sums[q] = 0;
    for (int64_t r = 0; r < rows; ++r)
      for (int64_t q = 0; q < columns; ++q)
        sums[q] += data[(b * rows + r) * columns + q];
  }
  static const volatile uint32_t* const calls = Calls();
  if (calls != nullptr && *calls == 4) Spin(13000);
  if (calls != nullptr && *calls == 1) Spin(200);
  return 0;
}
