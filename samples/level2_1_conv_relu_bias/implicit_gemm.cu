// expect: correct cpu=not_run
// problem: level2/1
// about: Implicit GEMM (channels x pixels), both biases and ReLU fused.
#include <cuda_runtime.h>
#include <kernelbench/candidate.h>

namespace {

constexpr int kTile = 128;  // output channels by output pixels
constexpr int kDepth = 8;
constexpr int kThreads = 256;
constexpr int kPitch = kTile + 4;  // makes the transposing stores conflict-free

struct Shape {
  int channels, height, width;  // of the input
  int filters, kernel;
  int out_height, out_width;
  int pixels;  // batch * out_height * out_width

  __host__ __device__ int plane() const { return out_height * out_width; }
  __host__ __device__ int depth() const { return channels * kernel * kernel; }
};

__device__ int Place(int thread, int i) {
  return thread * 4 + i % 4 + i / 4 * (kTile / 2);
}

// Index into x of the upper left corner of the window of an output pixel.
__device__ int64_t WindowStart(const Shape& s, int pixel) {
  const int image = pixel / s.plane();
  const int within = pixel % s.plane();
  return static_cast<int64_t>(image) * s.channels * s.height * s.width +
         within / s.out_width * s.width + within % s.out_width;
}

__global__ void __launch_bounds__(kThreads, 2)
    ConvKernel(const float* __restrict__ x, const float* __restrict__ w,
               const float* __restrict__ conv_bias,
               const float* __restrict__ bias, float* __restrict__ y, Shape s) {
  __shared__ float ws[2][kDepth][kPitch];
  __shared__ float xs[2][kDepth][kTile];
  // Where element k of a window lies, relative to its corner: saves the
  // divisions by the kernel size in the main loop.
  extern __shared__ int offsets[];
  const int depth = s.depth();
  for (int k = threadIdx.x; k < depth; k += kThreads) {
    const int column = k % s.kernel;
    const int row = k / s.kernel % s.kernel;
    const int channel = k / (s.kernel * s.kernel);
    offsets[k] = (channel * s.height + row) * s.width + column;
  }
  __syncthreads();

  const int tx = threadIdx.x % 16;
  const int ty = threadIdx.x / 16;
  const int first_filter = blockIdx.y * kTile;
  const int first_pixel = blockIdx.x * kTile;

  // What this thread fetches: four weights of one filter, and four elements of
  // one window, so that neighbouring threads read neighbouring pixels.
  const int filter = threadIdx.x / 2;
  const int w_k = threadIdx.x % 2 * 4;
  const int pixel = threadIdx.x % kTile;
  const int x_k = threadIdx.x / kTile * 4;
  const bool w_inside = first_filter + filter < s.filters;
  const bool x_inside = first_pixel + pixel < s.pixels;
  const float* w_from = w + static_cast<int64_t>(first_filter + filter) * depth;
  const float* x_from =
      x + (x_inside ? WindowStart(s, first_pixel + pixel) : 0);

  float next_w[4];
  float next_x[4];
  const auto fetch = [&](int k) {
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      const int wk = k + w_k + i;
      const int xk = k + x_k + i;
      next_w[i] = w_inside && wk < depth ? w_from[wk] : 0.0f;
      next_x[i] = x_inside && xk < depth ? x_from[offsets[xk]] : 0.0f;
    }
  };

  float sums[8][8] = {};
  fetch(0);
  for (int k = 0, turn = 0; k < depth; k += kDepth, turn ^= 1) {
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      ws[turn][w_k + i][filter] = next_w[i];
      xs[turn][x_k + i][pixel] = next_x[i];
    }
    __syncthreads();
    fetch(k + kDepth);  // in flight during the arithmetic below
#pragma unroll
    for (int d = 0; d < kDepth; ++d) {
      float row[8];
      float column[8];
#pragma unroll
      for (int i = 0; i < 8; ++i) {
        row[i] = ws[turn][d][Place(ty, i)];
        column[i] = xs[turn][d][Place(tx, i)];
      }
#pragma unroll
      for (int i = 0; i < 8; ++i)
#pragma unroll
        for (int j = 0; j < 8; ++j) sums[i][j] += row[i] * column[j];
    }
  }

#pragma unroll
  for (int j = 0; j < 8; ++j) {
    const int p = first_pixel + Place(tx, j);
    if (p >= s.pixels) continue;
    const int64_t image = p / s.plane();
    const int within = p % s.plane();
#pragma unroll
    for (int i = 0; i < 8; ++i) {
      const int f = first_filter + Place(ty, i);
      if (f < s.filters)
        y[(image * s.filters + f) * s.plane() + within] =
            fmaxf(sums[i][j] + conv_bias[f], 0.0f) + bias[f];
    }
  }
}

const float* Weight(const kb_call* call, const char* name) {
  return static_cast<const float*>(kb::weight(call->model, name)->data);
}

}  // namespace

int kb_forward(const kb_call* call) {
  const int64_t* in = kb::input_tensor(call, 0).shape;
  const int64_t* filter = kb::weight(call->model, "conv.weight")->shape;
  const int64_t* out = call->outputs[0].shape;
  Shape s;
  s.channels = static_cast<int>(in[1]);
  s.height = static_cast<int>(in[2]);
  s.width = static_cast<int>(in[3]);
  s.filters = static_cast<int>(filter[0]);
  s.kernel = static_cast<int>(filter[2]);
  s.out_height = static_cast<int>(out[2]);
  s.out_width = static_cast<int>(out[3]);
  s.pixels = static_cast<int>(out[0] * out[2] * out[3]);
  const dim3 grid(static_cast<unsigned>((s.pixels + kTile - 1) / kTile),
                  static_cast<unsigned>((s.filters + kTile - 1) / kTile));
  ConvKernel<<<grid, kThreads, s.depth() * sizeof(int),
               static_cast<cudaStream_t>(call->stream)>>>(
      kb::input<float>(call, 0), Weight(call, "conv.weight"),
      Weight(call, "conv.bias"), Weight(call, "bias"), kb::output<float>(call),
      s);
  return cudaGetLastError();
}
