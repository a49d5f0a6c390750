// expect: incorrect cpu=not_run
// problem: level1/4
// about: Adds with atomics to an output that nobody has set to zero.
#include <cuda_runtime.h>
#include <kernelbench/candidate.h>

constexpr int kThreads = 256;
constexpr int kSlices = 8;

__global__ void MatvecKernel(const float* a, const float* b, float* c,
                             int64_t k) {
  const float* row = a + blockIdx.y * k;
  float sum = 0.0f;
  for (int64_t i = blockIdx.x * int64_t{kThreads} + threadIdx.x; i < k;
       i += kSlices * kThreads)
    sum += row[i] * b[i];
  for (int lane = 16; lane > 0; lane /= 2)
    sum += __shfl_xor_sync(~0u, sum, lane);
  if (threadIdx.x % 32 == 0) atomicAdd(c + blockIdx.y, sum);
}

int kb_forward(const kb_call* call) {
  const DLTensor& a = kb::input_tensor(call, 0);
  const dim3 grid(kSlices, static_cast<unsigned>(a.shape[0]));
  MatvecKernel<<<grid, kThreads, 0, static_cast<cudaStream_t>(call->stream)>>>(
      kb::input<float>(call, 0), kb::input<float>(call, 1),
      kb::output<float>(call), a.shape[1]);
  return cudaGetLastError();
}
