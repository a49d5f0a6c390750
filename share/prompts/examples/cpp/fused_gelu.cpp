#include <kernelbench/candidate.h>

#include <cmath>

// One pass: bias, GELU and sum are done while the element is in a register.
int kb_forward(const kb_call* call) {
  const DLTensor& x = kb::input_tensor(call, 0);
  const int64_t features = x.shape[x.ndim - 1];
  const int64_t rows = kb::numel(x) / features;
  const float* in = kb::input<float>(call, 0);
  const auto* bias =
      static_cast<const float*>(kb::weight(call->model, "bias")->data);
  float* out = kb::output<float>(call);
  constexpr float kRootHalf = 0.70710678118654752f;
#pragma omp parallel for
  for (int64_t r = 0; r < rows; ++r)
    for (int64_t c = 0; c < features; ++c) {
      const float value = in[r * features + c] + bias[c];
      const float gelu = 0.5f * value * (1.0f + std::erf(value * kRootHalf));
      out[r * features + c] = in[r * features + c] + gelu;
    }
  return 0;
}
