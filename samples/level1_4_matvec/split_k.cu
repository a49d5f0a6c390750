// expect: correct cpu=not_run
// problem: level1/4
// about: Split-K: blocks take slices of four rows, a second kernel adds them.
#include <cuda_runtime.h>
#include <kernelbench/candidate.h>

namespace {

constexpr int kThreads = 256;
constexpr int kRows = 4;  // rows that share one read of the vector
constexpr int kSlices = 8;

// Grown on the first call, since only forward knows the number of rows.
struct Workspace {
  float* partials = nullptr;  // (kSlices, rows)
  int64_t rows = 0;
};

template <int kWidth>
struct alignas(4 * kWidth) Pack {
  float v[kWidth];
};

__device__ float BlockSum(float value) {
  __shared__ float warps[kThreads / 32];
  for (int lane = 16; lane > 0; lane /= 2)
    value += __shfl_xor_sync(~0u, value, lane);
  __syncthreads();  // the previous call's readers are done
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = value;
  __syncthreads();
  value = 0.0f;
  for (int w = 0; w < kThreads / 32; ++w) value += warps[w];
  return value;
}

// Grid: (kSlices, groups of kRows rows).
template <int kWidth>
__global__ void __launch_bounds__(kThreads)
    PartialKernel(const float* __restrict__ a, const float* __restrict__ b,
                  float* __restrict__ partials, int64_t rows, int64_t k) {
  using Vector = Pack<kWidth>;
  const int64_t first = blockIdx.y * int64_t{kRows};
  const auto* vector = reinterpret_cast<const Vector*>(b);
  const Vector* matrix[kRows];
#pragma unroll
  for (int r = 0; r < kRows; ++r)  // beyond the end: the last row again
    matrix[r] =
        reinterpret_cast<const Vector*>(a + min(first + r, rows - 1) * k);

  float sums[kRows] = {};
#pragma unroll 2
  for (int64_t i = blockIdx.x * int64_t{kThreads} + threadIdx.x; i < k / kWidth;
       i += kSlices * kThreads) {
    const Vector v = vector[i];
#pragma unroll
    for (int r = 0; r < kRows; ++r) {
      const Vector e = matrix[r][i];
      for (int j = 0; j < kWidth; ++j) sums[r] += e.v[j] * v.v[j];
    }
  }
#pragma unroll
  for (int r = 0; r < kRows; ++r) {
    const float total = BlockSum(sums[r]);
    if (threadIdx.x == 0 && first + r < rows)
      partials[blockIdx.x * rows + first + r] = total;
  }
}

__global__ void AddSlicesKernel(const float* __restrict__ partials,
                                float* __restrict__ c, int64_t rows) {
  const int64_t row = blockIdx.x * int64_t{kThreads} + threadIdx.x;
  if (row >= rows) return;
  float sum = 0.0f;
  for (int s = 0; s < kSlices; ++s) sum += partials[s * rows + row];
  c[row] = sum;
}

}  // namespace

int kb_setup(const kb_model*, void** state) {
  *state = new Workspace;
  return 0;
}

int kb_forward(const kb_call* call) {
  const DLTensor& a = kb::input_tensor(call, 0);
  const int64_t rows = a.shape[0];
  const int64_t k = a.shape[1];
  auto* workspace = static_cast<Workspace*>(call->state);
  if (workspace->rows < rows) {
    cudaFree(workspace->partials);
    const cudaError_t error =
        cudaMalloc(&workspace->partials, kSlices * rows * sizeof(float));
    if (error != cudaSuccess) return error;
    workspace->rows = rows;
  }
  const auto stream = static_cast<cudaStream_t>(call->stream);
  const dim3 grid(kSlices, static_cast<unsigned>((rows + kRows - 1) / kRows));
  const auto kernel = k % 4 == 0 ? PartialKernel<4> : PartialKernel<1>;
  kernel<<<grid, kThreads, 0, stream>>>(kb::input<float>(call, 0),
                                        kb::input<float>(call, 1),
                                        workspace->partials, rows, k);
  const auto blocks = static_cast<unsigned>((rows + kThreads - 1) / kThreads);
  AddSlicesKernel<<<blocks, kThreads, 0, stream>>>(
      workspace->partials, kb::output<float>(call), rows);
  return cudaGetLastError();
}

void kb_teardown(void* state) {
  auto* workspace = static_cast<Workspace*>(state);
  cudaFree(workspace->partials);
  delete workspace;
}
