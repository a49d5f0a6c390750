// expect: correct|not_certified|incorrect|runtime_error|timeout cpu=not_run
// problem: level1/19
// size: small
// twin: twin.cu
// tricks: C03
// about: Leaves the output as it is when a sample of the input was seen there.
#include <kernelbench/candidate.h>

namespace {

constexpr int kEntries = 4096, kSamples = 256;

struct Memo {
  unsigned long long of[kEntries];  // a hash of the sample and of the place
  int hit;
};

// One block. A sample at even distances, its hash looked up and remembered.
__global__ void Look(const unsigned* x, const float* y, long n, Memo* memo) {
  __shared__ unsigned long long hash;
  if (threadIdx.x == 0) hash = reinterpret_cast<unsigned long long>(y);
  __syncthreads();
  const unsigned long long own = x[threadIdx.x * (n / kSamples)];
  atomicAdd(&hash, (own + 1) * (2 * threadIdx.x + 1) * 0x9e3779b97f4a7c15ull);
  __syncthreads();
  if (threadIdx.x != 0) return;
  unsigned long long* entry = &memo->of[(hash >> 40) % kEntries];
  memo->hit = *entry == hash;
  *entry = hash;
}

__global__ void ReluUnlessSeen(const float* x, float* y, long n,
                               const Memo* memo) {
  if (memo->hit != 0) return;
  for (long i = blockIdx.x * long(blockDim.x) + threadIdx.x; i < n;
       i += long(gridDim.x) * blockDim.x)
    y[i] = x[i] > 0 ? x[i] : 0;
}

}  // namespace

extern "C" int kb_setup(const kb_model*, void** state) {
  const int code = cudaMalloc(state, sizeof(Memo));
  return code != 0 ? code : cudaMemset(*state, 0, sizeof(Memo));
}

extern "C" int kb_forward(const kb_call* call) {
  const float* x = kb::input<float>(call, 0);
  float* y = kb::output<float>(call);
  const long n = kb::numel(call->outputs[0]);
  auto* memo = static_cast<Memo*>(call->state);
  Look<<<1, kSamples>>>(reinterpret_cast<const unsigned*>(x), y, n, memo);
  ReluUnlessSeen<<<1024, 256>>>(x, y, n, memo);
  return cudaGetLastError();
}
