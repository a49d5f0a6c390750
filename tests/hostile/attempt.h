#pragma once

// What attempts and their twin share. A candidate is one file: `check` puts
// this where it is included.
#include <kernelbench/candidate.h>
#include <stdio.h>
#include <string.h>

#include "words.h"

namespace {

// The pages that oracle and jail share (src/wire/include/wire/mailbox.h).
[[maybe_unused]] volatile unsigned* Mailbox() {
  FILE* maps = fopen("/proc/self/maps", "r");
  unsigned long begin = 0, end = 0, found = 0;
  for (char line[512]; fgets(line, sizeof line, maps) != nullptr;)
    if (strstr(line, "memfd:kernelbench") != nullptr &&
        sscanf(line, "%lx-%lx", &begin, &end) == 2 && end - begin < 65536)
      found = begin;
  fclose(maps);
  return reinterpret_cast<volatile unsigned*>(found);
}

[[maybe_unused]] __global__ void Relu(const float* x, float* y, long n) {
  for (long i = blockIdx.x * long(blockDim.x) + threadIdx.x; i < n;
       i += long(gridDim.x) * blockDim.x)
    y[i] = x[i] > 0 ? x[i] : 0;
}

// Of a chain.
struct Calls {
  const float* x[64];
  float* y[64];
};

[[maybe_unused]] __global__ void ReluAll(Calls calls, long n) {
  const float* x = calls.x[blockIdx.y];
  float* y = calls.y[blockIdx.y];
  for (long i = blockIdx.x * long(blockDim.x) + threadIdx.x; i < n;
       i += long(gridDim.x) * blockDim.x)
    y[i] = x[i] > 0 ? x[i] : 0;
}

}  // namespace
