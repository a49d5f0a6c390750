// Kernels whose stacks are known. stacks.cubin beside this is what
//     nvcc -arch=sm_90 -O3 -cubin -o stacks.cubin stacks.cu
// of CUDA 13.2 makes of it; with -Xptxas -v it says the "cumulative stack size".
extern "C" __global__ void plain(float* y) { y[threadIdx.x] *= 2.0f; }

extern "C" __global__ void indexed(float* y) {
  float kept[64];
  for (int i = 0; i < 64; ++i) kept[i] = y[i] * static_cast<float>(threadIdx.x);
  for (int i = 0; i < 64; ++i) kept[(i * threadIdx.x) & 63] += 1.0f;
  y[threadIdx.x] = kept[(threadIdx.x * 5) & 63];
}

__device__ __noinline__ float Deep(const float* x, unsigned n) {
  float kept[32];
  for (int i = 0; i < 32; ++i) kept[i] = x[i] * static_cast<float>(n);
  kept[n & 31] = 1.0f;
  return kept[(n * 5) & 31];
}

extern "C" __global__ void calls(float* y) { y[threadIdx.x] = Deep(y, threadIdx.x); }
