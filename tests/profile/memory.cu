// profile: pack=1 problem=level1/1 limiter=memory hottest=Relu:1 count=1 grid=16384 block=256 shared=0 occupancy=1
// Reads and writes four elements a thread.
#include <cuda_runtime.h>
#include <kernelbench/candidate.h>

__global__ void Relu(const float4* x, float4* y) {
  const size_t i = size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  float4 v = x[i];
  v.x = v.x < 0.0f ? 0.0f : v.x;
  v.y = v.y < 0.0f ? 0.0f : v.y;
  v.z = v.z < 0.0f ? 0.0f : v.z;
  v.w = v.w < 0.0f ? 0.0f : v.w;
  y[i] = v;
}

int kb_forward(const kb_call* call) {
  const int64_t n = kb::numel(call->outputs[0]) / 4;
  Relu<<<n / 256, 256, 0, static_cast<cudaStream_t>(call->stream)>>>(
      reinterpret_cast<const float4*>(kb::input<float>(call, 0)),
      reinterpret_cast<float4*>(kb::output<float>(call)));
  return cudaGetLastError();
}
