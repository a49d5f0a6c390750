#include <kernelbench/candidate.h>

#include <cmath>
#include <limits>
#include <vector>

namespace {

// One query: keys are read once. When a larger score comes, what was summed
// before is scaled down, so that no row of scores is ever stored.
void Attend(const float* q, const float* k, const float* v, float* sum,
            float* out, int64_t rows, int64_t width) {
  const float scale = 1.0f / std::sqrt(static_cast<float>(width));
  float largest = -std::numeric_limits<float>::infinity(), total = 0.0f;
  for (int64_t c = 0; c < width; ++c) sum[c] = 0.0f;
  for (int64_t r = 0; r < rows; ++r) {
    float score = 0.0f;
#pragma omp simd reduction(+ : score)
    for (int64_t c = 0; c < width; ++c) score += q[c] * k[r * width + c];
    score *= scale;
    const float top = std::fmax(largest, score);
    const float shrink = std::exp(largest - top);
    const float weight = std::exp(score - top);
    total = total * shrink + weight;
#pragma omp simd
    for (int64_t c = 0; c < width; ++c)
      sum[c] = sum[c] * shrink + weight * v[r * width + c];
    largest = top;
  }
  for (int64_t c = 0; c < width; ++c) out[c] = sum[c] / total;
}

}  // namespace

int kb_forward(const kb_call* call) {
  const DLTensor& queries = kb::input_tensor(call, 0);
  const int64_t heads = queries.shape[0], rows = queries.shape[1];
  const int64_t width = queries.shape[2];
  const float* q = kb::input<float>(call, 0);
  const float* k = kb::input<float>(call, 1);
  const float* v = kb::input<float>(call, 2);
  float* out = kb::output<float>(call);
#pragma omp parallel
  {
    std::vector<float> sum(static_cast<size_t>(width));
#pragma omp for collapse(2)
    for (int64_t h = 0; h < heads; ++h)
      for (int64_t r = 0; r < rows; ++r) {
        const int64_t head = h * rows * width, row = head + r * width;
        Attend(q + row, k + head, v + head, sum.data(), out + row, rows, width);
      }
  }
  return 0;
}
