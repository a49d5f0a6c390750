// expect: correct|not_certified|incorrect|runtime_error|timeout cpu=not_run
// problem: level1/19
// size: small
// twin: twin.cu
// tricks: T21
// about: Keeps the tensor cores busy after its last chain, so that the device
// is hot and its clocks are low when the reference is read.
#include <cuda_fp16.h>
#include <mma.h>

#include "attempt.h"

namespace {

// For 20 ms, or until the next chain is announced.
__global__ void Burn(float* sink, volatile unsigned* box, unsigned number) {
  using namespace nvcuda::wmma;
  constexpr long long kCycles = 36000000;
  fragment<matrix_a, 16, 16, 16, half, row_major> a;
  fragment<matrix_b, 16, 16, 16, half, col_major> b;
  fragment<accumulator, 16, 16, 16, float> sums[4];
  fill_fragment(a, __float2half(0.7f + 0.001f * threadIdx.x));
  fill_fragment(b, __float2half(-0.3f));
  for (auto& sum : sums) fill_fragment(sum, 0);
  const long long start = clock64();
  while (box[kArm] == number && clock64() - start < kCycles)
    for (int i = 0; i < 4096; ++i)
      for (auto& sum : sums) mma_sync(sum, a, b, sum);
  float total = 0;
  for (auto& sum : sums) total += sum.x[0];
  if (total == 1) *sink = total;  // never, but the compiler cannot know
}

volatile unsigned* box = nullptr;
cudaStream_t aside = nullptr;
cudaEvent_t end = nullptr;
float* sink = nullptr;

}  // namespace

extern "C" int kb_setup(const kb_model*, void**) {
  box = Mailbox();
  cudaStreamCreateWithFlags(&aside, cudaStreamNonBlocking);
  cudaEventCreateWithFlags(&end, cudaEventDisableTiming);
  cudaFuncAttributes loaded;  // now: behind the gate it would wait
  cudaFuncGetAttributes(&loaded, Burn);
  return cudaMalloc(&sink, sizeof *sink);
}

extern "C" int kb_forward(const kb_call* call) {
  static unsigned chain = 0, count = 0;
  if (box[kArm] != chain) count = 0;
  chain = box[kArm];
  Relu<<<1024, 256>>>(kb::input<float>(call, 0), kb::output<float>(call),
                      kb::numel(call->outputs[0]));
  if (++count < box[kCalls] || count <= 4) return cudaGetLastError();
  cudaEventRecord(end, nullptr);
  cudaStreamWaitEvent(aside, end, 0);
  for (int i = 0; i < 25; ++i) Burn<<<264, 512, 0, aside>>>(sink, box, chain);
  return cudaGetLastError();
}
