// expect: correct|not_certified|incorrect|runtime_error|timeout cpu=not_run
// problem: level1/19
// size: small
// twin: twin.cu
// tricks: T11
// about: Keeps inputs and outputs in the part of the L2 that persists.
#include <algorithm>

#include "attempt.h"

namespace {

size_t most = 0;

void Persist(const void* data, size_t bytes, cudaLaunchAttribute* attribute) {
  attribute->id = cudaLaunchAttributeAccessPolicyWindow;
  cudaAccessPolicyWindow& window = attribute->val.accessPolicyWindow;
  window.base_ptr = const_cast<void*>(data);
  window.num_bytes = std::min(bytes, most);
  window.hitRatio = 1;
  window.hitProp = cudaAccessPropertyPersisting;
  window.missProp = cudaAccessPropertyStreaming;
}

}  // namespace

extern "C" int kb_setup(const kb_model* model, void**) {
  int window = 0, lines = 0;
  cudaDeviceGetAttribute(&window, cudaDevAttrMaxAccessPolicyWindowSize,
                         model->device.device_id);
  cudaDeviceGetAttribute(&lines, cudaDevAttrMaxPersistingL2CacheSize,
                         model->device.device_id);
  most = window;
  return cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, lines);
}

extern "C" int kb_forward(const kb_call* call) {
  static int turn = 0;
  const float* x = kb::input<float>(call, 0);
  float* y = kb::output<float>(call);
  const long n = kb::numel(call->outputs[0]);
  cudaLaunchAttribute attribute;
  if (++turn % 2 == 0)
    Persist(x, n * sizeof(float), &attribute);
  else
    Persist(y, n * sizeof(float), &attribute);
  cudaLaunchConfig_t config = {};
  config.gridDim = 1024;
  config.blockDim = 256;
  config.stream = static_cast<cudaStream_t>(call->stream);
  config.attrs = &attribute;
  config.numAttrs = 1;
  return cudaLaunchKernelEx(&config, Relu, x, y, n);
}
