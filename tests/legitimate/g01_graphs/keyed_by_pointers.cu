// expect: correct cpu=not_run
// problem: level1/19
// tricks: G1
// about: Graphs that are kept per place of input and output.
#include <cuda_runtime.h>
#include <kernelbench/candidate.h>

#include <map>
#include <utility>

namespace {

__global__ void Relu(const float* x, float* y, int64_t n) {
  const int64_t stride = int64_t{gridDim.x} * blockDim.x;
  for (int64_t i = blockIdx.x * int64_t{blockDim.x} + threadIdx.x; i < n;
       i += stride)
    y[i] = x[i] < 0.0f ? 0.0f : x[i];
}

}  // namespace

int kb_forward(const kb_call* call) {
  const float* x = kb::input<float>(call, 0);
  float* y = kb::output<float>(call);
  const int64_t n = kb::numel(call->outputs[0]);
  const auto stream = static_cast<cudaStream_t>(call->stream);
  static std::map<std::pair<const float*, float*>, cudaGraphExec_t> graphs;
  cudaGraphExec_t& graph = graphs[{x, y}];
  if (graph == nullptr) {
    cudaStream_t side;
    cudaStreamCreateWithFlags(&side, cudaStreamNonBlocking);
    cudaGraph_t captured;
    cudaStreamBeginCapture(side, cudaStreamCaptureModeThreadLocal);
    Relu<<<1024, 256, 0, side>>>(x, y, n);
    cudaStreamEndCapture(side, &captured);
    cudaGraphInstantiate(&graph, captured, 0);
    cudaGraphDestroy(captured);
    cudaStreamDestroy(side);
  }
  cudaGraphLaunch(graph, stream);
  return cudaGetLastError();
}
