// expect: correct cuda=not_run
// problem: level2/12
// about: Honest.
#include <kernelbench/candidate.h>

int kb_forward(const kb_call* call) {
  const kb_model* model = call->model;
  const DLTensor& weight = *kb::weight(model, "gemm.weight");
  const int64_t rows = call->outputs[0].shape[0];
  const int64_t columns = weight.shape[0];
  const int64_t depth = weight.shape[1];
  const auto* w = static_cast<const float*>(weight.data);
  const auto* bias =
      static_cast<const float*>(kb::weight(model, "gemm.bias")->data);
  const auto multiplier = static_cast<float>(kb::number(model->init[2]));
  const auto slope = static_cast<float>(kb::number(model->init[3]));
  const float* x = kb::input<float>(call, 0);
  float* y = kb::output<float>(call);
  for (int64_t r = 0; r < rows; ++r)
    for (int64_t q = 0; q < columns; ++q) {
      float sums[16] = {};  // independent, so that the compiler may vectorise
      int64_t k = 0;
      for (; k + 16 <= depth; k += 16)
        for (int64_t i = 0; i < 16; ++i)
          sums[i] += x[r * depth + k + i] * w[q * depth + k + i];
      float sum = bias[q];
      for (; k < depth; ++k) sum += x[r * depth + k] * w[q * depth + k];
      for (float s : sums) sum += s;
      const float scaled = sum * multiplier;
      y[r * columns + q] = scaled > 0.0f ? scaled : scaled * slope;
    }
  return 0;
}
