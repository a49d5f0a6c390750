// profile: pack=1 problem=level1/1 limiter=copies count=5 copied=268435456 also=Relu:0.2
// Copies the input four times before it reads it.
#include <cuda_runtime.h>
#include <kernelbench/candidate.h>

__global__ void Relu(float* y) {
  const size_t i = size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (y[i] < 0.0f) y[i] = 0.0f;
}

int kb_forward(const kb_call* call) {
  const int64_t n = kb::numel(call->outputs[0]);
  const auto stream = static_cast<cudaStream_t>(call->stream);
  for (int i = 0; i < 4; ++i)
    cudaMemcpyAsync(kb::output<float>(call), kb::input<float>(call, 0),
                    n * sizeof(float), cudaMemcpyDeviceToDevice, stream);
  Relu<<<n / 256, 256, 0, stream>>>(kb::output<float>(call));
  return cudaGetLastError();
}
