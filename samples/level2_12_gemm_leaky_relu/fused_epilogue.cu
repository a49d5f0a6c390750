// expect: correct cpu=not_run
// problem: level2/12
// about: A tiled fp32 GEMM with bias, scale and LeakyReLU in its epilogue.
#include <cuda_runtime.h>
#include <kernelbench/candidate.h>

namespace {

constexpr int kTile = 128;  // of the result, both ways
constexpr int kDepth = 8;
constexpr int kThreads = 256;
constexpr int kPitch = kTile + 4;  // makes the transposing stores conflict-free

struct Epilogue {
  const float* bias;
  float multiplier;
  float slope;

  __device__ float operator()(float sum, int column) const {
    const float v = (sum + bias[column]) * multiplier;
    return v > 0.0f ? v : v * slope;
  }
};

// Four floats from column k of a row with `depth` columns; zeros outside.
// Aligned: depth is a multiple of 4.
template <bool kAligned>
__device__ float4 Load4(const float* row, bool inside, int k, int depth) {
  const int valid = inside ? depth - k : 0;
  if (kAligned) {
    return valid > 0 ? *reinterpret_cast<const float4*>(row + k) : float4{};
  }
  return {valid > 0 ? row[k] : 0.0f, valid > 1 ? row[k + 1] : 0.0f,
          valid > 2 ? row[k + 2] : 0.0f, valid > 3 ? row[k + 3] : 0.0f};
}

__device__ void StoreTransposed(float (*tile)[kPitch], int k, int row,
                                float4 v) {
  tile[k + 0][row] = v.x;
  tile[k + 1][row] = v.y;
  tile[k + 2][row] = v.z;
  tile[k + 3][row] = v.w;
}

// Four results of a thread's row or column are neighbours, the other four
// follow half a tile later: 16-byte reads of shared memory without bank
// conflicts.
__device__ int Place(int thread, int i) {
  return thread * 4 + i % 4 + i / 4 * (kTile / 2);
}

// y (rows, columns) = epilogue(x (rows, depth) @ w (columns, depth)^T)
template <bool kAligned>
__global__ void __launch_bounds__(kThreads, 2)
    LinearKernel(const float* __restrict__ x, const float* __restrict__ w,
                 float* __restrict__ y, int rows, int columns, int depth,
                 Epilogue epilogue) {
  __shared__ float xs[2][kDepth][kPitch];
  __shared__ float ws[2][kDepth][kPitch];
  const int tx = threadIdx.x % 16;
  const int ty = threadIdx.x / 16;
  const int first_row = blockIdx.y * kTile;
  const int first_column = blockIdx.x * kTile;

  const int line = threadIdx.x / 2;  // of both tiles, fetched by this thread
  const int k4 = threadIdx.x % 2 * 4;
  const bool x_inside = first_row + line < rows;
  const bool w_inside = first_column + line < columns;
  const float* x_row = x + static_cast<int64_t>(first_row + line) * depth;
  const float* w_row = w + static_cast<int64_t>(first_column + line) * depth;

  float sums[8][8] = {};
  float4 next_x = Load4<kAligned>(x_row, x_inside, k4, depth);
  float4 next_w = Load4<kAligned>(w_row, w_inside, k4, depth);
  for (int k = 0, turn = 0; k < depth; k += kDepth, turn ^= 1) {
    StoreTransposed(xs[turn], k4, line, next_x);
    StoreTransposed(ws[turn], k4, line, next_w);
    __syncthreads();
    // In flight during the arithmetic below; zeros after the last tile.
    next_x = Load4<kAligned>(x_row, x_inside, k + kDepth + k4, depth);
    next_w = Load4<kAligned>(w_row, w_inside, k + kDepth + k4, depth);
#pragma unroll
    for (int d = 0; d < kDepth; ++d) {
      float row[8];
      float column[8];
#pragma unroll
      for (int i = 0; i < 8; ++i) {
        row[i] = xs[turn][d][Place(ty, i)];
        column[i] = ws[turn][d][Place(tx, i)];
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
      if (r < rows && q < columns) y[r * columns + q] = epilogue(sums[i][j], q);
    }
  }
}

}  // namespace

int kb_forward(const kb_call* call) {
  const kb_model* model = call->model;
  const DLTensor& w = *kb::weight(model, "gemm.weight");
  const auto rows = static_cast<int>(call->outputs[0].shape[0]);
  const auto columns = static_cast<int>(w.shape[0]);
  const auto depth = static_cast<int>(w.shape[1]);
  const Epilogue epilogue = {
      static_cast<const float*>(kb::weight(model, "gemm.bias")->data),
      static_cast<float>(kb::number(model->init[2])),
      static_cast<float>(kb::number(model->init[3]))};
  const dim3 grid(static_cast<unsigned>((columns + kTile - 1) / kTile),
                  static_cast<unsigned>((rows + kTile - 1) / kTile));
  const auto kernel = depth % 4 == 0 ? LinearKernel<true> : LinearKernel<false>;
  kernel<<<grid, kThreads, 0, static_cast<cudaStream_t>(call->stream)>>>(
      kb::input<float>(call, 0), static_cast<const float*>(w.data),
      kb::output<float>(call), rows, columns, depth, epilogue);
  return cudaGetLastError();
}
