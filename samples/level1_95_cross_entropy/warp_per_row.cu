// expect: correct cpu=not_run
// problem: level1/95
// about: A warp per row, online log-sum-exp, a deterministic two-stage mean.
#include <cuda_runtime.h>
#include <kernelbench/candidate.h>

#include <cfloat>

namespace {

constexpr int kThreads = 256;
constexpr int kWarps = kThreads / 32;
constexpr int kBlocks = 132 * 8;  // as many as an H100 holds at once

template <int kWidth>
struct alignas(4 * kWidth) Pack {
  float v[kWidth];
};

// log(sum(exp(row))), the same in every lane.
template <int kWidth>
__device__ float LogSumExp(const float* __restrict__ row, int64_t classes) {
  const auto* in = reinterpret_cast<const Pack<kWidth>*>(row);
  float max = -FLT_MAX;
  float sum = 0.0f;
  for (int64_t i = threadIdx.x % 32; i < classes / kWidth; i += 32) {
    const Pack<kWidth> e = in[i];
    float next = max;
    for (int k = 0; k < kWidth; ++k) next = fmaxf(next, e.v[k]);
    sum *= __expf(max - next);
    for (int k = 0; k < kWidth; ++k) sum += __expf(e.v[k] - next);
    max = next;
  }
  for (int lane = 16; lane > 0; lane /= 2) {
    const float other_max = __shfl_xor_sync(~0u, max, lane);
    const float other_sum = __shfl_xor_sync(~0u, sum, lane);
    const float next = fmaxf(max, other_max);
    sum = sum * __expf(max - next) + other_sum * __expf(other_max - next);
    max = next;
  }
  return max + logf(sum);
}

template <int kWidth>
__global__ void __launch_bounds__(kThreads)
    RowLossKernel(const float* __restrict__ scores,
                  const int64_t* __restrict__ targets, double* partials,
                  int64_t rows, int64_t classes) {
  __shared__ double warps[kWarps];
  const int warp = threadIdx.x / 32;
  double loss = 0.0;
  for (int64_t r = blockIdx.x * int64_t{kWarps} + warp; r < rows;
       r += gridDim.x * int64_t{kWarps}) {
    const float* row = scores + r * classes;
    loss += LogSumExp<kWidth>(row, classes) - row[targets[r]];
  }
  if (threadIdx.x % 32 == 0) warps[warp] = loss;
  __syncthreads();
  if (threadIdx.x != 0) return;
  for (int w = 1; w < kWarps; ++w) loss += warps[w];
  partials[blockIdx.x] = loss;
}

__global__ void MeanKernel(const double* partials, float* y, int64_t rows) {
  double sum = 0.0;
  for (int i = threadIdx.x; i < kBlocks; i += 32) sum += partials[i];
  for (int lane = 16; lane > 0; lane /= 2)
    sum += __shfl_xor_sync(~0u, sum, lane);
  if (threadIdx.x == 0) *y = static_cast<float>(sum / rows);
}

}  // namespace

int kb_setup(const kb_model*, void** state) {
  return cudaMalloc(state, kBlocks * sizeof(double));
}

int kb_forward(const kb_call* call) {
  const DLTensor& scores = kb::input_tensor(call, 0);
  const int64_t rows = scores.shape[0];
  const int64_t classes = scores.shape[1];
  auto* partials = static_cast<double*>(call->state);
  const auto stream = static_cast<cudaStream_t>(call->stream);
  const auto kernel = classes % 4 == 0 ? RowLossKernel<4> : RowLossKernel<1>;
  kernel<<<kBlocks, kThreads, 0, stream>>>(kb::input<float>(call, 0),
                                           kb::input<int64_t>(call, 1),
                                           partials, rows, classes);
  MeanKernel<<<1, 32, 0, stream>>>(partials, kb::output<float>(call), rows);
  return cudaGetLastError();
}

void kb_teardown(void* state) { cudaFree(state); }
