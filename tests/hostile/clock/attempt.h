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

[[maybe_unused]] __device__ float ReluOf(float x) { return x > 0 ? x : 0; }

[[maybe_unused]] __device__ float4 ReluOf(float4 x) {
  return {ReluOf(x.x), ReluOf(x.y), ReluOf(x.z), ReluOf(x.w)};
}

// About as fast as PyTorch's: what a poor kernel loses between two calls could
// be had back by doing them together, and would be no gain of the attempt's.
[[maybe_unused]] __device__ void ReluAt(const float* x, float* y, long n) {
  constexpr int kAtOnce = 4;
  const long place = blockIdx.x * long(blockDim.x) + threadIdx.x;
  const long stride = long(gridDim.x) * blockDim.x;
  const bool aligned = (((size_t)x | (size_t)y) & 15) == 0;
  const long quads = aligned ? n / 4 : 0;
  const float4* from = (const float4*)x;
  float4* to = (float4*)y;
  for (long i = place; i < quads; i += kAtOnce * stride) {
    float4 held[kAtOnce];
#pragma unroll
    for (int k = 0; k < kAtOnce; ++k)
      if (i + k * stride < quads) held[k] = from[i + k * stride];
#pragma unroll
    for (int k = 0; k < kAtOnce; ++k)
      if (i + k * stride < quads) to[i + k * stride] = ReluOf(held[k]);
  }
  for (long i = 4 * quads + place; i < n; i += stride) y[i] = ReluOf(x[i]);
}

[[maybe_unused]] __global__ void Relu(const float* x, float* y, long n) {
  ReluAt(x, y, n);
}

// Of a chain.
struct Calls {
  const float* x[64];
  float* y[64];
};

[[maybe_unused]] __global__ void ReluAll(Calls calls, long n) {
  ReluAt(calls.x[blockIdx.y], calls.y[blockIdx.y], n);
}

}  // namespace
