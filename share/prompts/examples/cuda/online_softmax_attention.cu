#include <cuda_runtime.h>
#include <kernelbench/candidate.h>

#include <cmath>

namespace {

constexpr int kWidth = 64;  // of a head
constexpr int kKeys = 32;   // in shared memory at a time
constexpr int kQueries = 64;

// One thread for each query. Keys and values pass through shared memory once
// for a block. When a larger score comes, what was summed before is scaled
// down, so that scores are never stored.
__global__ void __launch_bounds__(kQueries)
    Attend(const float* __restrict__ q, const float* __restrict__ k,
           const float* __restrict__ v, float* __restrict__ out, int64_t rows) {
  __shared__ float keys[kKeys][kWidth], values[kKeys][kWidth];
  const int64_t head = blockIdx.y * rows * kWidth;
  const int64_t query = int64_t{blockIdx.x} * kQueries + threadIdx.x;
  const bool there = query < rows;
  float own[kWidth], sum[kWidth];
#pragma unroll
  for (int c = 0; c < kWidth; ++c) {
    own[c] = there ? q[head + query * kWidth + c] * rsqrtf(kWidth) : 0.0f;
    sum[c] = 0.0f;
  }
  float largest = -INFINITY, total = 0.0f;
  for (int64_t start = 0; start < rows; start += kKeys) {
    const int count = static_cast<int>(min(int64_t{kKeys}, rows - start));
    for (int i = threadIdx.x; i < count * kWidth; i += kQueries) {
      keys[i / kWidth][i % kWidth] = k[head + start * kWidth + i];
      values[i / kWidth][i % kWidth] = v[head + start * kWidth + i];
    }
    __syncthreads();
    for (int key = 0; key < count; ++key) {
      float score = 0.0f;
#pragma unroll
      for (int c = 0; c < kWidth; ++c) score += own[c] * keys[key][c];
      const float top = fmaxf(largest, score);
      const float shrink = expf(largest - top), weight = expf(score - top);
      total = total * shrink + weight;
#pragma unroll
      for (int c = 0; c < kWidth; ++c)
        sum[c] = sum[c] * shrink + weight * values[key][c];
      largest = top;
    }
    __syncthreads();
  }
  if (!there) return;
  for (int c = 0; c < kWidth; ++c)
    out[head + query * kWidth + c] = sum[c] / total;
}

}  // namespace

int kb_forward(const kb_call* call) {
  const DLTensor& q = kb::input_tensor(call, 0);
  const int64_t heads = q.shape[0], rows = q.shape[1];
  if (q.shape[2] != kWidth) return cudaErrorInvalidValue;
  const dim3 blocks(static_cast<unsigned>((rows + kQueries - 1) / kQueries),
                    static_cast<unsigned>(heads));
  Attend<<<blocks, kQueries, 0, static_cast<cudaStream_t>(call->stream)>>>(
      kb::input<float>(call, 0), kb::input<float>(call, 1),
      kb::input<float>(call, 2), kb::output<float>(call), rows);
  return cudaGetLastError();
}
