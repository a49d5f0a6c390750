// profile: pack=1 problem=level1/1 limiter=occupancy hottest=Relu:1 grid=262144 block=64 shared=163840 occupancy=0.03125
// Asks for 160 KiB of shared memory a block of 64 threads: one block fits a processor, 2 of 64 warps.
#include <cuda_runtime.h>
#include <kernelbench/candidate.h>

__global__ void Relu(const float* x, float* y) {
  extern __shared__ float kept[];
  const size_t i = size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  kept[threadIdx.x] = x[i];
  y[i] = kept[threadIdx.x] < 0.0f ? 0.0f : kept[threadIdx.x];
}

int kb_forward(const kb_call* call) {
  constexpr int kBytes = 160 << 10;
  cudaFuncSetAttribute(Relu, cudaFuncAttributeMaxDynamicSharedMemorySize,
                       kBytes);
  const int64_t n = kb::numel(call->outputs[0]);
  Relu<<<n / 64, 64, kBytes, static_cast<cudaStream_t>(call->stream)>>>(
      kb::input<float>(call, 0), kb::output<float>(call));
  return cudaGetLastError();
}
