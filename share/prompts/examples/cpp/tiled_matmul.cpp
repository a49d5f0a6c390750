#include <kernelbench/candidate.h>

#include <algorithm>

namespace {

// A tile of b stays in the cache while all rows of a tile of a pass over it.
constexpr int64_t kRows = 32, kInner = 128, kColumns = 256;

void AddTile(const float* a, const float* b, float* out, int64_t rows,
             int64_t steps, int64_t width, int64_t inner, int64_t columns) {
  for (int64_t r = 0; r < rows; ++r)
    for (int64_t k = 0; k < steps; ++k) {
      const float factor = a[r * inner + k];
#pragma omp simd
      for (int64_t c = 0; c < width; ++c)
        out[r * columns + c] += factor * b[k * columns + c];
    }
}

}  // namespace

int kb_forward(const kb_call* call) {
  const DLTensor& left = kb::input_tensor(call, 0);
  const DLTensor& right = kb::input_tensor(call, 1);
  const int64_t rows = left.shape[0], inner = left.shape[1];
  const int64_t columns = right.shape[1];
  const float* a = kb::input<float>(call, 0);
  const float* b = kb::input<float>(call, 1);
  float* out = kb::output<float>(call);
  std::fill(out, out + rows * columns, 0.0f);
#pragma omp parallel for collapse(2)
  for (int64_t r = 0; r < rows; r += kRows)
    for (int64_t c = 0; c < columns; c += kColumns)
      for (int64_t k = 0; k < inner; k += kInner)
        AddTile(a + r * inner + k, b + k * columns + c, out + r * columns + c,
                std::min(kRows, rows - r), std::min(kInner, inner - k),
                std::min(kColumns, columns - c), inner, columns);
  return 0;
}
