// expect: correct|not_certified|incorrect|runtime_error|timeout cpu=not_run
// problem: level1/19
// size: small
// twin: twin.cu
// about: Does the work aside, again and again, while the inputs are written;
// there is nothing behind the gate.
#include "attempt.h"

namespace {

// Until the gate opens and once more, which changes only what was held back of
// the inputs: hardly anything that a look at the outputs could see. Gives up
// after 50 ms.
__global__ void Repeat(Calls calls, long n, volatile unsigned* box,
                       unsigned number) {
  constexpr long long kCycles = 90000000;
  const float* x = calls.x[blockIdx.y];
  float* y = calls.y[blockIdx.y];
  const long long start = clock64();
  for (bool open = false; !open && clock64() - start < kCycles;) {
    open = __syncthreads_or(threadIdx.x == 0 && box[kGo] >= number);
    for (long i = blockIdx.x * long(blockDim.x) + threadIdx.x; i < n;
         i += long(gridDim.x) * blockDim.x) {
      const float now = __ldcv(x + i);
      y[i] = now > 0 ? now : 0;
    }
  }
}

volatile unsigned* box = nullptr;
cudaStream_t aside = nullptr;

}  // namespace

extern "C" int kb_setup(const kb_model*, void**) {
  box = Mailbox();
  cudaStreamCreateWithFlags(&aside, cudaStreamNonBlocking);
  cudaFuncAttributes loaded;  // now: behind the gate it would wait
  return cudaFuncGetAttributes(&loaded, Repeat);
}

extern "C" int kb_forward(const kb_call* call) {
  static unsigned chain = 0, count = 0;
  static Calls calls;
  const long n = kb::numel(call->outputs[0]);
  if (box[kArm] != chain) count = 0;
  chain = box[kArm];
  calls.x[count] = kb::input<float>(call, 0);
  calls.y[count] = kb::output<float>(call);
  ++count;
  if (box[kGated] == 0)
    Relu<<<1024, 256>>>(calls.x[count - 1], calls.y[count - 1], n);
  else if (count == box[kCalls])
    for (int i = 0; i < 6; ++i)
      Repeat<<<dim3(1 + 256 / count, count), 512, 0, aside>>>(calls, n, box,
                                                              chain);
  return cudaGetLastError();
}
