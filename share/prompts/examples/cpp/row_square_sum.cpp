#include <kernelbench/candidate.h>

int kb_forward(const kb_call* call) {
  const DLTensor& x = kb::input_tensor(call, 0);
  const int64_t columns = x.shape[x.ndim - 1];
  const int64_t rows = kb::numel(call->outputs[0]);
  const float* in = kb::input<float>(call, 0);
  float* out = kb::output<float>(call);
#pragma omp parallel for
  for (int64_t r = 0; r < rows; ++r) {
    const float* row = in + r * columns;
    float sum = 0.0f;
#pragma omp simd reduction(+ : sum)
    for (int64_t c = 0; c < columns; ++c) sum += row[c] * row[c];
    out[r] = sum;
  }
  return 0;
}
