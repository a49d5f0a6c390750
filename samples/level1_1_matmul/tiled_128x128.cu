// expect: correct cpu=not_run
// problem: level1/1
// about: 128x128x8 tiles, 8x8 results per thread, double-buffered, full fp32.
#include <cuda_runtime.h>
#include <kernelbench/candidate.h>

namespace {

constexpr int kTile = 128;  // of C, both ways
constexpr int kDepth = 8;
constexpr int kThreads = 256;
constexpr int kPitch = kTile + 4;  // makes the transposing stores conflict-free

// Up to `valid` floats from p; zeros beyond. Aligned: p is 16-byte aligned and
// valid is at least 4 or at most 0.
template <bool kAligned>
__device__ float4 Load4(const float* p, int valid) {
  if (kAligned) {
    return valid > 0 ? *reinterpret_cast<const float4*>(p) : float4{};
  }
  return {valid > 0 ? p[0] : 0.0f, valid > 1 ? p[1] : 0.0f,
          valid > 2 ? p[2] : 0.0f, valid > 3 ? p[3] : 0.0f};
}

// Four results of a thread's row or column are neighbours, the other four
// follow half a tile later: 16-byte reads of shared memory without bank
// conflicts.
__device__ int Place(int thread, int i) {
  return thread * 4 + i % 4 + i / 4 * (kTile / 2);
}

template <bool kAligned>
__global__ void __launch_bounds__(kThreads, 2)
    MatmulKernel(const float* __restrict__ a, const float* __restrict__ b,
                 float* __restrict__ c, int n) {
  __shared__ float as[2][kDepth][kPitch];
  __shared__ float bs[2][kDepth][kTile];
  const int tx = threadIdx.x % 16;
  const int ty = threadIdx.x / 16;
  const int first_row = blockIdx.y * kTile;
  const int first_column = blockIdx.x * kTile;

  // What this thread fetches: four floats of a row of A, four of a row of B.
  const int a_row = threadIdx.x / 2;
  const int a_k = threadIdx.x % 2 * 4;
  const int b_k = threadIdx.x / 32;
  const int b_column = threadIdx.x % 32 * 4;
  const bool a_inside = first_row + a_row < n;
  const float* a_from = a + static_cast<int64_t>(first_row + a_row) * n + a_k;
  const float* b_from =
      b + static_cast<int64_t>(b_k) * n + first_column + b_column;
  const auto fetch_a = [&](int k) {
    return Load4<kAligned>(a_from + k, a_inside ? n - k - a_k : 0);
  };
  const auto fetch_b = [&](int k) {
    return Load4<kAligned>(b_from + static_cast<int64_t>(k) * n,
                           k + b_k < n ? n - first_column - b_column : 0);
  };

  float sums[8][8] = {};
  float4 next_a = fetch_a(0);
  float4 next_b = fetch_b(0);
  for (int k = 0, turn = 0; k < n; k += kDepth, turn ^= 1) {
    as[turn][a_k + 0][a_row] = next_a.x;
    as[turn][a_k + 1][a_row] = next_a.y;
    as[turn][a_k + 2][a_row] = next_a.z;
    as[turn][a_k + 3][a_row] = next_a.w;
    *reinterpret_cast<float4*>(&bs[turn][b_k][b_column]) = next_b;
    __syncthreads();
    if (k + kDepth < n) {  // in flight during the arithmetic below
      next_a = fetch_a(k + kDepth);
      next_b = fetch_b(k + kDepth);
    }
#pragma unroll
    for (int d = 0; d < kDepth; ++d) {
      float row[8];
      float column[8];
#pragma unroll
      for (int i = 0; i < 8; ++i) {
        row[i] = as[turn][d][Place(ty, i)];
        column[i] = bs[turn][d][Place(tx, i)];
      }
#pragma unroll
      for (int i = 0; i < 8; ++i)
#pragma unroll
        for (int j = 0; j < 8; ++j) sums[i][j] += row[i] * column[j];
    }
  }

#pragma unroll
  for (int i = 0; i < 8; ++i) {
    const int64_t r = first_row + Place(ty, i);
#pragma unroll
    for (int j = 0; j < 8; ++j) {
      const int q = first_column + Place(tx, j);
      if (r < n && q < n) c[r * n + q] = sums[i][j];
    }
  }
}

}  // namespace

int kb_forward(const kb_call* call) {
  const auto n = static_cast<int>(call->outputs[0].shape[0]);
  const auto tiles = static_cast<unsigned>((n + kTile - 1) / kTile);
  const auto kernel = n % 4 == 0 ? MatmulKernel<true> : MatmulKernel<false>;
  kernel<<<dim3(tiles, tiles), kThreads, 0,
           static_cast<cudaStream_t>(call->stream)>>>(
      kb::input<float>(call, 0), kb::input<float>(call, 1),
      kb::output<float>(call), n);
  return cudaGetLastError();
}
