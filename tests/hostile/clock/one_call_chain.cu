// expect: correct|not_certified|incorrect|runtime_error|timeout cpu=not_run
// problem: level1/19
// size: small
// twin: twin.cu
// about: Waits for the device where calls are chained, until only one call is
// read; then its kernel reports the end when it begins.
#include "attempt.h"

namespace {

// Over before a copy engine has looked at the output.
__global__ void Relu(const float* x, float* y, long n, volatile unsigned* done,
                     unsigned number) {
  if (done != nullptr && blockIdx.x == 0 && threadIdx.x == 0) {
    *done = number;
    __threadfence_system();
  }
  for (long i = blockIdx.x * long(blockDim.x) + threadIdx.x; i < n;
       i += long(gridDim.x) * blockDim.x)
    y[i] = x[i] > 0 ? x[i] : 0;
}

}  // namespace

extern "C" int kb_forward(const kb_call* call) {
  static volatile unsigned* const box = Mailbox();
  const bool gated = box[kGated] != 0;
  if (gated && box[kCalls] > 1) cudaStreamSynchronize(nullptr);
  Relu<<<1024, 256>>>(kb::input<float>(call, 0), kb::output<float>(call),
                      kb::numel(call->outputs[0]),
                      gated ? box + kDone : nullptr, box[kArm]);
  return cudaGetLastError();
}
