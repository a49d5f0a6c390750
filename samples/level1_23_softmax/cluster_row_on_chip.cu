// expect: correct cpu=not_run
// problem: level1/23
// about: Eight blocks keep a row in shared memory: one read, one write.
#include <cooperative_groups.h>
#include <cuda_runtime.h>
#include <kernelbench/candidate.h>

#include <cfloat>

namespace cg = cooperative_groups;

namespace {

constexpr int kThreads = 1024;
constexpr int kCluster = 8;  // the portable maximum

template <int kWidth>
struct alignas(4 * kWidth) Pack {
  float v[kWidth];
};

struct Max {
  static constexpr float kNeutral = -FLT_MAX;
  __device__ float operator()(float a, float b) const { return fmaxf(a, b); }
};
struct Add {
  static constexpr float kNeutral = 0.0f;
  __device__ float operator()(float a, float b) const { return a + b; }
};

template <typename Op>
__device__ float WarpReduce(float value) {
  for (int lane = 16; lane > 0; lane /= 2)
    value = Op()(value, __shfl_xor_sync(~0u, value, lane));
  return value;
}

// Over all threads of the cluster. Each Op owns its shared memory, hence may be
// used once per kernel.
template <typename Op>
__device__ float ClusterReduce(float value) {
  __shared__ float warps[kThreads / 32];
  __shared__ float block;
  const auto cluster = cg::this_cluster();
  const int lane = threadIdx.x % 32;

  value = WarpReduce<Op>(value);
  if (lane == 0) warps[threadIdx.x / 32] = value;
  __syncthreads();
  value = WarpReduce<Op>(warps[lane]);
  if (threadIdx.x == 0) block = value;
  cluster.sync();
  value = lane < kCluster ? *cluster.map_shared_rank(&block, lane % kCluster)
                          : Op::kNeutral;
  return WarpReduce<Op>(value);
}

template <int kWidth>
__global__ void __cluster_dims__(kCluster, 1, 1) __launch_bounds__(kThreads)
    SoftmaxKernel(const float* __restrict__ x, float* __restrict__ y,
                  int64_t dim, int vectors_per_block) {
  extern __shared__ float4 shared[];
  using Vector = Pack<kWidth>;
  auto* slice = reinterpret_cast<Vector*>(shared);
  const int64_t row = blockIdx.x / kCluster;
  const int first = blockIdx.x % kCluster * vectors_per_block;
  const int all = static_cast<int>(dim / kWidth);
  const int count = max(0, min(all - first, vectors_per_block));
  const auto* in = reinterpret_cast<const Vector*>(x + row * dim) + first;
  auto* out = reinterpret_cast<Vector*>(y + row * dim) + first;

  float highest = -FLT_MAX;
#pragma unroll 4
  for (int i = threadIdx.x; i < count; i += kThreads) {
    const Vector e = in[i];
    for (int k = 0; k < kWidth; ++k) highest = fmaxf(highest, e.v[k]);
    slice[i] = e;  // read back by the same thread only: no barrier needed
  }
  highest = ClusterReduce<Max>(highest);

  float sum = 0.0f;
  for (int i = threadIdx.x; i < count; i += kThreads) {
    Vector e = slice[i];
    for (int k = 0; k < kWidth; ++k) sum += e.v[k] = __expf(e.v[k] - highest);
    slice[i] = e;
  }
  const float scale = 1.0f / ClusterReduce<Add>(sum);

  for (int i = threadIdx.x; i < count; i += kThreads) {
    Vector e = slice[i];
    for (int k = 0; k < kWidth; ++k) e.v[k] *= scale;
    out[i] = e;
  }
  cg::this_cluster().sync();  // peers may still read this block's sum
}

template <int kWidth>
cudaError_t Launch(const kb_call* call, int64_t rows, int64_t dim) {
  const int64_t vectors = dim / kWidth;
  const auto per_block = static_cast<int>((vectors + kCluster - 1) / kCluster);
  const int bytes = per_block * kWidth * static_cast<int>(sizeof(float));
  const cudaError_t error =
      cudaFuncSetAttribute(SoftmaxKernel<kWidth>,
                           cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  if (error != cudaSuccess) return error;  // the row does not fit on chip
  SoftmaxKernel<kWidth><<<static_cast<unsigned>(rows * kCluster), kThreads,
                          bytes, static_cast<cudaStream_t>(call->stream)>>>(
      kb::input<float>(call, 0), kb::output<float>(call), dim, per_block);
  return cudaGetLastError();
}

}  // namespace

int kb_forward(const kb_call* call) {
  const DLTensor& y = call->outputs[0];
  const int64_t dim = y.shape[1];
  return dim % 4 == 0 ? Launch<4>(call, y.shape[0], dim)
                      : Launch<1>(call, y.shape[0], dim);
}
