// expect: correct cpu=not_run
// problem: level1/19
// tricks: G19
// about: One launch with a barrier over the grid between two phases.
#include <cuda_runtime.h>
#include <kernelbench/candidate.h>

#include <cooperative_groups.h>

namespace {

__global__ void TwoPhases(const float* x, float* y, int64_t n) {
  const auto grid = cooperative_groups::this_grid();
  const auto first = static_cast<int64_t>(grid.thread_rank());
  const auto stride = static_cast<int64_t>(grid.size());
  for (int64_t i = first; i < n; i += stride) y[i] = x[i];
  grid.sync();
  for (int64_t i = first; i < n; i += stride)
    if (y[i] < 0.0f) y[i] = 0.0f;
}

}  // namespace

int kb_forward(const kb_call* call) {
  const float* x = kb::input<float>(call, 0);
  float* y = kb::output<float>(call);
  const int64_t n = kb::numel(call->outputs[0]);
  const auto stream = static_cast<cudaStream_t>(call->stream);
  const void* kernel = reinterpret_cast<const void*>(&TwoPhases);
  int blocks = 0, processors = 0;
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, TwoPhases, 256, 0);
  cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0);
  int64_t count = n;
  void* arguments[] = {&x, &y, &count};
  cudaLaunchCooperativeKernel(kernel, dim3(blocks * processors), dim3(256), arguments, 0, stream);
  return cudaGetLastError();
}
