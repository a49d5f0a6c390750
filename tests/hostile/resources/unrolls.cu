// expect: compile_error
// problem: level1/19
// tricks: R10
// twin: ../twins/relu.cu
// limits: compile_seconds=20
// about: A kernel that takes the compiler without end.
#include <cuda_runtime.h>
#include <kernelbench/candidate.h>

namespace {

template <int N>
__device__ float Grow(float x) {
  return Grow<N - 1>(x * x + N) * Grow<N - 1>(x - N);
}
template <>
__device__ float Grow<0>(float x) {
  return x;
}

__global__ void Kernel(float* y) { y[threadIdx.x] = Grow<40>(y[threadIdx.x]); }

}  // namespace

int kb_forward(const kb_call* call) {
  Kernel<<<1, 1>>>(kb::output<float>(call));
  return cudaGetLastError();
}
