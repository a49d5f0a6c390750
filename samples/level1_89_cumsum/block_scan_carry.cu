// expect: correct cpu=not_run
// problem: level1/89
// about: A block walks its row: vector loads, warp scans, a running carry.
#include <cuda_runtime.h>
#include <kernelbench/candidate.h>

namespace {

constexpr int kThreads = 512;
constexpr int kWarps = kThreads / 32;

template <int kWidth>
struct alignas(4 * kWidth) Pack {
  float v[kWidth];
};

__device__ float WarpInclusiveScan(float value) {
  const int lane = threadIdx.x % 32;
  for (int step = 1; step < 32; step *= 2) {
    const float left = __shfl_up_sync(~0u, value, step);
    if (lane >= step) value += left;
  }
  return value;
}

template <int kWidth>
__global__ void __launch_bounds__(kThreads)
    CumsumKernel(const float* __restrict__ x, float* __restrict__ y,
                 int64_t length) {
  // Two sets, used in turn, so that one barrier per tile is enough.
  __shared__ float totals[2][kWarps];
  using Vector = Pack<kWidth>;
  const auto* in = reinterpret_cast<const Vector*>(x + blockIdx.x * length);
  auto* out = reinterpret_cast<Vector*>(y + blockIdx.x * length);
  const int count = static_cast<int>(length / kWidth);
  const int warp = threadIdx.x / 32;

  float carry = 0.0f;
  int turn = 0;
  for (int tile = 0; tile < count; tile += kThreads, turn ^= 1) {
    const int i = tile + threadIdx.x;
    Vector e = {};
    if (i < count) e = in[i];
    for (int k = 1; k < kWidth; ++k) e.v[k] += e.v[k - 1];
    const float own = e.v[kWidth - 1];
    const float inclusive = WarpInclusiveScan(own);
    if (threadIdx.x % 32 == 31) totals[turn][warp] = inclusive;
    __syncthreads();

    float before = carry;
    for (int w = 0; w < kWarps; ++w) {
      if (w < warp) before += totals[turn][w];
      carry += totals[turn][w];
    }
    before += inclusive - own;
    for (int k = 0; k < kWidth; ++k) e.v[k] += before;
    if (i < count) out[i] = e;
  }
}

}  // namespace

int kb_forward(const kb_call* call) {
  const DLTensor& y = call->outputs[0];
  if (kb::number(call->model->init[0]) != 1) return cudaErrorInvalidValue;
  const int64_t length = y.shape[1];
  const auto kernel = length % 4 == 0 ? CumsumKernel<4> : CumsumKernel<1>;
  kernel<<<static_cast<unsigned>(y.shape[0]), kThreads, 0,
           static_cast<cudaStream_t>(call->stream)>>>(
      kb::input<float>(call, 0), kb::output<float>(call), length);
  return cudaGetLastError();
}
