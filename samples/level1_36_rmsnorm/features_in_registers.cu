// expect: correct cpu=not_run
// problem: level1/36
// about: A thread holds all features of a pixel: one read, one write.
#include <cuda_runtime.h>
#include <kernelbench/candidate.h>

namespace {

constexpr int kThreads = 256;
constexpr int kMaxFeatures = 64;

__global__ void __launch_bounds__(kThreads)
    RmsNormKernel(const float* __restrict__ x, float* __restrict__ y,
                  int features, int64_t plane, float eps) {
  const int64_t pixel = blockIdx.x * int64_t{kThreads} + threadIdx.x;
  if (pixel >= plane) return;
  const int64_t base = blockIdx.y * features * plane + pixel;

  float v[kMaxFeatures];  // fully unrolled loops keep it out of local memory
#pragma unroll
  for (int f = 0; f < kMaxFeatures; ++f)
    v[f] = f < features ? __ldcs(x + base + f * plane) : 0.0f;
  float sum = 0.0f;
#pragma unroll
  for (int f = 0; f < kMaxFeatures; ++f) sum += v[f] * v[f];
  const float scale = rsqrtf(sum / static_cast<float>(features) + eps);
#pragma unroll
  for (int f = 0; f < kMaxFeatures; ++f)
    if (f < features) __stcs(y + base + f * plane, v[f] * scale);
}

}  // namespace

int kb_forward(const kb_call* call) {
  const DLTensor& y = call->outputs[0];
  const int64_t features = y.shape[1];
  if (features > kMaxFeatures) return cudaErrorInvalidValue;
  const int64_t plane = kb::numel(y) / (y.shape[0] * features);
  const kb_model* model = call->model;
  const double eps = model->init_count > 1 ? kb::number(model->init[1]) : 1e-5;
  const dim3 grid(static_cast<unsigned>((plane + kThreads - 1) / kThreads),
                  static_cast<unsigned>(y.shape[0]));
  RmsNormKernel<<<grid, kThreads, 0, static_cast<cudaStream_t>(call->stream)>>>(
      kb::input<float>(call, 0), kb::output<float>(call),
      static_cast<int>(features), plane, static_cast<float>(eps));
  return cudaGetLastError();
}
