// expect: correct cuda=not_run
// problem: level1/4
// about: Sixteen partial sums per row, which vectorise and round less.
#include <kernelbench/candidate.h>

int kb_forward(const kb_call* call) {
  constexpr int64_t kLanes = 16;
  const DLTensor& a = kb::input_tensor(call, 0);
  const int64_t k = a.shape[1];
  const float* b = kb::input<float>(call, 1);
  for (int64_t r = 0; r < a.shape[0]; ++r) {
    const float* row = kb::input<float>(call, 0) + r * k;
    float sums[kLanes] = {};
    int64_t i = 0;
    for (; i + kLanes <= k; i += kLanes)
      for (int64_t j = 0; j < kLanes; ++j) sums[j] += row[i + j] * b[i + j];
    float sum = 0.0f;
    for (; i < k; ++i) sum += row[i] * b[i];
    for (float s : sums) sum += s;
    kb::output<float>(call)[r] = sum;
  }
  return 0;
}
