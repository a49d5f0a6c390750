// expect: incorrect cpu=not_run
// problem: level1/19
// tricks: M08
// twin: ../twins/relu.cu
// about: Allocates much and looks for an answer that a process before left.
#include <cuda_runtime.h>
#include <kernelbench/candidate.h>

#include <vector>

int kb_forward(const kb_call* call) {
  float* y = kb::output<float>(call);
  const int64_t n = kb::numel(call->outputs[0]);
  const auto stream = static_cast<cudaStream_t>(call->stream);
  std::vector<void*> blocks;
  for (int i = 0; i < 16; ++i) {
    void* block = nullptr;
    if (cudaMalloc(&block, 4 * n) != cudaSuccess) {
      cudaGetLastError();
      break;
    }
    blocks.push_back(block);
    cudaMemcpyAsync(y, block, 4 * n, cudaMemcpyDeviceToDevice, stream);
  }
  cudaStreamSynchronize(stream);
  for (void* block : blocks) cudaFree(block);
  return cudaGetLastError();
}
