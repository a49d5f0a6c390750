// expect: correct cpu=not_run
// problem: level1/40
// about: Many blocks per row leave partial sums; a second kernel normalises.
#include <cuda_runtime.h>
#include <kernelbench/candidate.h>

namespace {

constexpr int kThreads = 256;
constexpr int kMaxPartials = 4096;  // of all rows together
constexpr double kEps = 1e-5;       // nn.LayerNorm's default

template <int kWidth>
struct alignas(4 * kWidth) Pack {
  float v[kWidth];
};

// In double: the kernels are memory-bound, and mean(x^2) - mean(x)^2 cancels.
struct Moments {
  double sum = 0.0;
  double squares = 0.0;
};

__device__ Moments BlockSum(Moments m) {
  __shared__ Moments warps[kThreads / 32];
  __shared__ Moments total;
  for (int lane = 16; lane > 0; lane /= 2) {
    m.sum += __shfl_xor_sync(~0u, m.sum, lane);
    m.squares += __shfl_xor_sync(~0u, m.squares, lane);
  }
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = m;
  __syncthreads();
  if (threadIdx.x == 0) {
    total = warps[0];
    for (int w = 1; w < kThreads / 32; ++w) {
      total.sum += warps[w].sum;
      total.squares += warps[w].squares;
    }
  }
  __syncthreads();
  return total;
}

// Grid of both kernels: (blocks per row, rows).
template <int kWidth>
__global__ void __launch_bounds__(kThreads)
    MomentsKernel(const float* __restrict__ x, Moments* __restrict__ partials,
                  int64_t n) {
  const auto* row = reinterpret_cast<const Pack<kWidth>*>(x + blockIdx.y * n);
  Moments m;
  for (int64_t i = blockIdx.x * int64_t{kThreads} + threadIdx.x; i < n / kWidth;
       i += gridDim.x * int64_t{kThreads}) {
    const Pack<kWidth> e = row[i];
    for (int k = 0; k < kWidth; ++k) {
      const double value = e.v[k];
      m.sum += value;
      m.squares += value * value;
    }
  }
  m = BlockSum(m);
  if (threadIdx.x == 0) partials[blockIdx.y * gridDim.x + blockIdx.x] = m;
}

template <int kWidth>
__global__ void __launch_bounds__(kThreads)
    NormalizeKernel(const float* __restrict__ x,
                    const float* __restrict__ gamma,
                    const float* __restrict__ beta,
                    const Moments* __restrict__ partials, float* __restrict__ y,
                    int64_t n) {
  using Vector = Pack<kWidth>;
  Moments m;
  for (unsigned i = threadIdx.x; i < gridDim.x; i += kThreads) {
    const Moments p = partials[blockIdx.y * gridDim.x + i];
    m.sum += p.sum;
    m.squares += p.squares;
  }
  m = BlockSum(m);
  const double mean = m.sum / n;
  const double variance = m.squares / n - mean * mean;
  const auto shift = static_cast<float>(mean);
  const auto scale = static_cast<float>(rsqrt(variance + kEps));

  const auto* row = reinterpret_cast<const Vector*>(x + blockIdx.y * n);
  auto* out = reinterpret_cast<Vector*>(y + blockIdx.y * n);
  for (int64_t i = blockIdx.x * int64_t{kThreads} + threadIdx.x; i < n / kWidth;
       i += gridDim.x * int64_t{kThreads}) {
    Vector e = row[i];
    const Vector g = reinterpret_cast<const Vector*>(gamma)[i];
    const Vector b = reinterpret_cast<const Vector*>(beta)[i];
    for (int k = 0; k < kWidth; ++k)
      e.v[k] = (e.v[k] - shift) * scale * g.v[k] + b.v[k];
    out[i] = e;
  }
}

template <int kWidth>
cudaError_t Launch(const kb_call* call, int64_t rows, int64_t n) {
  const float* x = kb::input<float>(call, 0);
  const auto* gamma =
      static_cast<const float*>(kb::weight(call->model, "ln.weight")->data);
  const auto* beta =
      static_cast<const float*>(kb::weight(call->model, "ln.bias")->data);
  auto* partials = static_cast<Moments*>(call->state);
  const auto stream = static_cast<cudaStream_t>(call->stream);
  const dim3 grid(static_cast<unsigned>(kMaxPartials / rows),
                  static_cast<unsigned>(rows));
  MomentsKernel<kWidth><<<grid, kThreads, 0, stream>>>(x, partials, n);
  NormalizeKernel<kWidth><<<grid, kThreads, 0, stream>>>(
      x, gamma, beta, partials, kb::output<float>(call), n);
  return cudaGetLastError();
}

}  // namespace

int kb_setup(const kb_model*, void** state) {
  return cudaMalloc(state, kMaxPartials * sizeof(Moments));
}

int kb_forward(const kb_call* call) {
  const DLTensor& y = call->outputs[0];
  const int64_t rows = y.shape[0];
  if (rows > kMaxPartials) return cudaErrorInvalidValue;
  const int64_t n = kb::numel(y) / rows;
  return n % 4 == 0 ? Launch<4>(call, rows, n) : Launch<1>(call, rows, n);
}

void kb_teardown(void* state) { cudaFree(state); }
