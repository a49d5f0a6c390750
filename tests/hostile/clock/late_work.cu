// expect: not_certified|incorrect cpu=not_run
// problem: level1/19
// size: small
// twin: twin.cu
// tricks: T01
// about: Works on a second stream, which the stream that is timed never joins.
#include "attempt.h"

namespace {

cudaStream_t aside = nullptr;
cudaEvent_t open = nullptr;

}  // namespace

extern "C" int kb_setup(const kb_model*, void**) {
  cudaStreamCreateWithFlags(&aside, cudaStreamNonBlocking);
  return cudaEventCreateWithFlags(&open, cudaEventDisableTiming);
}

// Behind the gate: before it the inputs are not there.
extern "C" int kb_forward(const kb_call* call) {
  cudaEventRecord(open, static_cast<cudaStream_t>(call->stream));
  cudaStreamWaitEvent(aside, open, 0);
  Relu<<<1024, 256, 0, aside>>>(kb::input<float>(call, 0),
                                kb::output<float>(call),
                                kb::numel(call->outputs[0]));
  return cudaGetLastError();
}
