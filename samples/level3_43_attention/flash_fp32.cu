// expect: correct cpu=not_run
// problem: level3/43
// about: Two tiled linear layers around flash-style causal attention, fp32.
#include <cuda_runtime.h>
#include <kernelbench/candidate.h>

namespace {

constexpr int kThreads = 256;

// --- y = x @ w^T + bias -----------------------------------------------------

constexpr int kTile = 128;
constexpr int kDepth = 8;
constexpr int kPitch = kTile + 4;  // makes the transposing stores conflict-free

__device__ int Place(int thread, int i) {
  return thread * 4 + i % 4 + i / 4 * (kTile / 2);
}

// x is (rows, depth), w is (columns, depth).
__global__ void __launch_bounds__(kThreads, 2)
    LinearKernel(const float* __restrict__ x, const float* __restrict__ w,
                 const float* __restrict__ bias, float* __restrict__ y,
                 int rows, int columns, int depth) {
  __shared__ float xs[2][kDepth][kPitch];
  __shared__ float ws[2][kDepth][kPitch];
  const int tx = threadIdx.x % 16;
  const int ty = threadIdx.x / 16;
  const int first_row = blockIdx.y * kTile;
  const int first_column = blockIdx.x * kTile;

  const int line = threadIdx.x / 2;  // of both tiles, fetched by this thread
  const int k4 = threadIdx.x % 2 * 4;
  const bool x_inside = first_row + line < rows;
  const bool w_inside = first_column + line < columns;
  const float* x_row = x + static_cast<int64_t>(first_row + line) * depth;
  const float* w_row = w + static_cast<int64_t>(first_column + line) * depth;
  float next_x[4];
  float next_w[4];
  const auto fetch = [&](int k) {
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      next_x[i] = x_inside && k + k4 + i < depth ? x_row[k + k4 + i] : 0.0f;
      next_w[i] = w_inside && k + k4 + i < depth ? w_row[k + k4 + i] : 0.0f;
    }
  };

  float sums[8][8] = {};
  fetch(0);
  for (int k = 0, turn = 0; k < depth; k += kDepth, turn ^= 1) {
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      xs[turn][k4 + i][line] = next_x[i];
      ws[turn][k4 + i][line] = next_w[i];
    }
    __syncthreads();
    fetch(k + kDepth);  // in flight during the arithmetic below
#pragma unroll
    for (int d = 0; d < kDepth; ++d) {
      float row[8];
      float column[8];
#pragma unroll
      for (int i = 0; i < 8; ++i) {
        row[i] = xs[turn][d][Place(ty, i)];
        column[i] = ws[turn][d][Place(tx, i)];
      }
#pragma unroll
      for (int i = 0; i < 8; ++i)
#pragma unroll
        for (int j = 0; j < 8; ++j) sums[i][j] += row[i] * column[j];
    }
  }

#pragma unroll
  for (int i = 0; i < 8; ++i) {
    const int64_t r = first_row + Place(ty, i);
#pragma unroll
    for (int j = 0; j < 8; ++j) {
      const int q = first_column + Place(tx, j);
      if (r < rows && q < columns) y[r * columns + q] = sums[i][j] + bias[q];
    }
  }
}

// --- causal attention -------------------------------------------------------

constexpr int kBlock = 64;  // queries, and keys at a time

// A thread owns 4 queries and every 16th key or head component. kSteps * 16 is
// the head size, rounded up; the padding is zero.
template <int kSteps>
struct Tiles {
  static constexpr int kHead = 16 * kSteps;
  float q[kBlock][kHead + 1];
  float k[kBlock][kHead + 1];
  float v[kBlock][kHead + 1];
  float p[kBlock][kBlock + 1];
};

// Copies kBlock rows of one head, starting at `from`; zeros outside.
template <int kHead>
__device__ void LoadTile(float (*tile)[kHead + 1], const float* from,
                         int64_t pitch, int rows, int head) {
  for (int i = threadIdx.x; i < kBlock * kHead; i += kThreads) {
    const int r = i / kHead;
    const int d = i % kHead;
    tile[r][d] = r < rows && d < head ? from[r * pitch + d] : 0.0f;
  }
}

// Over the 16 threads that share their queries.
__device__ float RowMax(float v) {
  for (int lane = 8; lane > 0; lane /= 2)
    v = fmaxf(v, __shfl_xor_sync(~0u, v, lane));
  return v;
}
__device__ float RowSum(float v) {
  for (int lane = 8; lane > 0; lane /= 2) v += __shfl_xor_sync(~0u, v, lane);
  return v;
}

// qkv is (batch, length, 3 * heads * head), y is (batch, length, heads * head).
// Grid: (query blocks, heads, batch).
template <int kSteps>
__global__ void __launch_bounds__(kThreads)
    AttentionKernel(const float* __restrict__ qkv, float* __restrict__ y,
                    int length, int head) {
  extern __shared__ float shared[];
  auto& t = *reinterpret_cast<Tiles<kSteps>*>(shared);
  constexpr int kHead = Tiles<kSteps>::kHead;
  const int tx = threadIdx.x % 16;
  const int ty = threadIdx.x / 16;
  const int width = gridDim.y * head;
  const int64_t pitch = 3 * width;
  const float* base = qkv + blockIdx.z * length * pitch + blockIdx.y * head;
  const int first_query = blockIdx.x * kBlock;
  const float scale = rsqrtf(static_cast<float>(head));

  LoadTile<kHead>(t.q, base + first_query * pitch, pitch, length - first_query,
                  head);
  float max[4];
  float sum[4] = {};
  float out[4][kSteps] = {};
  for (float& m : max) m = -INFINITY;

  for (int first_key = 0; first_key <= first_query; first_key += kBlock) {
    const float* keys = base + first_key * pitch + width;
    __syncthreads();  // the previous tile is no longer read
    LoadTile<kHead>(t.k, keys, pitch, length - first_key, head);
    LoadTile<kHead>(t.v, keys + width, pitch, length - first_key, head);
    __syncthreads();

    float score[4][4] = {};
    for (int d = 0; d < kHead; ++d)
#pragma unroll
      for (int i = 0; i < 4; ++i)
#pragma unroll
        for (int j = 0; j < 4; ++j)
          score[i][j] += t.q[ty * 4 + i][d] * t.k[tx + 16 * j][d];

#pragma unroll
    for (int i = 0; i < 4; ++i) {
      const int query = first_query + ty * 4 + i;
      float next = max[i];
#pragma unroll
      for (int j = 0; j < 4; ++j) {
        const bool visible = first_key + tx + 16 * j <= query;
        score[i][j] = visible ? score[i][j] * scale : -INFINITY;
        next = fmaxf(next, score[i][j]);
      }
      next = RowMax(next);  // finite: key 0 is visible to every query
      float row = 0.0f;
#pragma unroll
      for (int j = 0; j < 4; ++j) {
        const float p = __expf(score[i][j] - next);
        t.p[ty * 4 + i][tx + 16 * j] = p;
        row += p;
      }
      const float shrink = __expf(max[i] - next);
      max[i] = next;
      sum[i] = sum[i] * shrink + RowSum(row);
#pragma unroll
      for (int j = 0; j < kSteps; ++j) out[i][j] *= shrink;
    }
    __syncwarp();  // a row of p is written and read by one half-warp

    for (int key = 0; key < kBlock; ++key)
#pragma unroll
      for (int i = 0; i < 4; ++i)
#pragma unroll
        for (int j = 0; j < kSteps; ++j)
          out[i][j] += t.p[ty * 4 + i][key] * t.v[key][tx + 16 * j];
  }

#pragma unroll
  for (int i = 0; i < 4; ++i) {
    const int query = first_query + ty * 4 + i;
    float* row = y +
                 (static_cast<int64_t>(blockIdx.z) * length + query) * width +
                 blockIdx.y * head;
#pragma unroll
    for (int j = 0; j < kSteps; ++j) {
      const int d = tx + 16 * j;
      if (query < length && d < head) row[d] = out[i][j] / sum[i];
    }
  }
}

// --- host -------------------------------------------------------------------

// Grown on the first call, since only forward knows the batch.
struct Workspace {
  float* data = nullptr;
  int64_t size = 0;
};

cudaError_t Reserve(Workspace* workspace, int64_t size) {
  if (size <= workspace->size) return cudaSuccess;
  cudaFree(workspace->data);
  workspace->size = size;
  return cudaMalloc(&workspace->data, size * sizeof(float));
}

const float* Weight(const kb_call* call, const char* name) {
  return static_cast<const float*>(kb::weight(call->model, name)->data);
}

void Linear(const kb_call* call, const float* x, const float* w,
            const float* bias, float* y, int64_t rows, int64_t columns,
            int64_t depth) {
  const dim3 grid(static_cast<unsigned>((columns + kTile - 1) / kTile),
                  static_cast<unsigned>((rows + kTile - 1) / kTile));
  LinearKernel<<<grid, kThreads, 0, static_cast<cudaStream_t>(call->stream)>>>(
      x, w, bias, y, static_cast<int>(rows), static_cast<int>(columns),
      static_cast<int>(depth));
}

template <int kSteps>
cudaError_t Attention(const kb_call* call, const float* qkv, float* y,
                      const dim3& grid, int64_t length, int64_t head) {
  constexpr int kBytes = sizeof(Tiles<kSteps>);
  const cudaError_t error =
      cudaFuncSetAttribute(AttentionKernel<kSteps>,
                           cudaFuncAttributeMaxDynamicSharedMemorySize, kBytes);
  if (error != cudaSuccess) return error;
  AttentionKernel<kSteps>
      <<<grid, kThreads, kBytes, static_cast<cudaStream_t>(call->stream)>>>(
          qkv, y, static_cast<int>(length), static_cast<int>(head));
  return cudaGetLastError();
}

}  // namespace

int kb_setup(const kb_model*, void** state) {
  *state = new Workspace;
  return 0;
}

int kb_forward(const kb_call* call) {
  const int64_t* shape = call->outputs[0].shape;
  const int64_t batch = shape[0];
  const int64_t length = shape[1];
  const int64_t width = shape[2];
  const auto heads = static_cast<int64_t>(kb::number(call->model->init[1]));
  const int64_t head = width / heads;
  const int64_t rows = batch * length;
  if (head > 96) return cudaErrorInvalidValue;

  auto* workspace = static_cast<Workspace*>(call->state);
  cudaError_t error = Reserve(workspace, rows * width * 4);
  if (error != cudaSuccess) return error;
  float* qkv = workspace->data;
  float* mixed = qkv + rows * width * 3;

  Linear(call, kb::input<float>(call, 0), Weight(call, "c_attn.weight"),
         Weight(call, "c_attn.bias"), qkv, rows, 3 * width, width);
  const dim3 grid(static_cast<unsigned>((length + kBlock - 1) / kBlock),
                  static_cast<unsigned>(heads), static_cast<unsigned>(batch));
  error = head <= 48 ? Attention<3>(call, qkv, mixed, grid, length, head)
                     : Attention<6>(call, qkv, mixed, grid, length, head);
  if (error != cudaSuccess) return error;
  Linear(call, mixed, Weight(call, "c_proj.weight"),
         Weight(call, "c_proj.bias"), kb::output<float>(call), rows, width,
         width);
  return cudaGetLastError();
}

void kb_teardown(void* state) {
  auto* workspace = static_cast<Workspace*>(state);
  cudaFree(workspace->data);
  delete workspace;
}
