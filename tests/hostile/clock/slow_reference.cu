// expect: correct|not_certified|incorrect|runtime_error|timeout cpu=not_run
// problem: level1/19
// size: small
// twin: twin.cu
// about: After its last chain, many kernels and copies on many streams until
// its next turn.
#include "attempt.h"

namespace {

constexpr int kStreams = 4, kKernels = 100;
constexpr long kPacks = 4 << 20;  // 64 MiB, more than the cache holds

// Reads and writes memory for 2 ms; nothing when the next chain is announced.
__global__ void Flood(float4* data, volatile unsigned* box, unsigned number) {
  constexpr long long kCycles = 4000000;
  const long stride = long(gridDim.x) * blockDim.x;
  const long long start = clock64();
  while (box[kArm] == number && clock64() - start < kCycles)
    for (long i = blockIdx.x * long(blockDim.x) + threadIdx.x; i < kPacks;
         i += stride)
      data[i].x += 1;
}

volatile unsigned* box = nullptr;
cudaStream_t streams[kStreams];
float4* data[kStreams];
cudaEvent_t end = nullptr;

}  // namespace

extern "C" int kb_setup(const kb_model*, void**) {
  box = Mailbox();
  for (int i = 0; i < kStreams; ++i) {
    cudaStreamCreateWithFlags(&streams[i], cudaStreamNonBlocking);
    const int code = cudaMalloc(&data[i], 2 * kPacks * sizeof(float4));
    if (code != 0) return code;
  }
  cudaFuncAttributes loaded;  // now: behind the gate it would wait
  cudaFuncGetAttributes(&loaded, Flood);
  return cudaEventCreateWithFlags(&end, cudaEventDisableTiming);
}

extern "C" int kb_forward(const kb_call* call) {
  static unsigned chain = 0, count = 0;
  if (box[kArm] != chain) count = 0;
  chain = box[kArm];
  Relu<<<1024, 256>>>(kb::input<float>(call, 0), kb::output<float>(call),
                      kb::numel(call->outputs[0]));
  if (++count < box[kCalls] || count <= 4) return cudaGetLastError();
  cudaEventRecord(end, nullptr);
  for (int i = 0; i < kStreams; ++i) cudaStreamWaitEvent(streams[i], end, 0);
  for (int i = 0; i < kStreams * kKernels; ++i) {
    const int s = i % kStreams;
    Flood<<<256, 512, 0, streams[s]>>>(data[s], box, chain);
    if (i % 16 < kStreams)
      cudaMemcpyAsync(data[s] + kPacks, data[s], kPacks * sizeof(float4),
                      cudaMemcpyDeviceToDevice, streams[s]);
  }
  return cudaGetLastError();
}
