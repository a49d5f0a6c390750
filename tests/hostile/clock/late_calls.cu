// expect: not_certified|incorrect|correct cpu=not_run
// problem: level1/19
// size: small
// twin: twin.cu
// about: Three calls from the middle of a chain are done after its end.
#include "attempt.h"

namespace {

constexpr unsigned kLate = 3;

volatile unsigned* box = nullptr;
cudaStream_t aside = nullptr;
cudaEvent_t end = nullptr;

}  // namespace

extern "C" int kb_setup(const kb_model*, void**) {
  box = Mailbox();
  cudaStreamCreateWithFlags(&aside, cudaStreamNonBlocking);
  return cudaEventCreateWithFlags(&end, cudaEventDisableTiming);
}

// The look at the outputs takes about as long as a call, and goes to the last
// call first.
extern "C" int kb_forward(const kb_call* call) {
  static unsigned chain = 0, count = 0, kept = 0;
  static Calls late;
  Calls now;
  const long n = kb::numel(call->outputs[0]);
  const unsigned calls = box[kCalls];
  if (box[kArm] != chain) count = kept = 0;
  chain = box[kArm];
  now.x[0] = kb::input<float>(call, 0);
  now.y[0] = kb::output<float>(call);
  const bool later = box[kGated] != 0 && calls > 8 && kept < kLate &&
                     (count + chain) % (calls / kLate) == 0 &&
                     count + 1 < calls;
  if (later) {
    late.x[kept] = now.x[0];
    late.y[kept++] = now.y[0];
  } else {
    ReluAll<<<1024, 256>>>(now, n);
  }
  if (++count < calls || kept == 0) return cudaGetLastError();
  cudaEventRecord(end, nullptr);
  cudaStreamWaitEvent(aside, end, 0);
  ReluAll<<<dim3(1024, kept), 256, 0, aside>>>(late, n);
  return cudaGetLastError();
}
