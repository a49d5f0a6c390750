// expect: correct cuda=not_run
// problem: level2/12
// tricks: G4
// about: Weights are multiplied by the constant in kb_setup.
#include <kernelbench/candidate.h>

#include <vector>

namespace {

struct Packed {
  std::vector<float> weight;
  std::vector<float> bias;
};

}  // namespace

int kb_setup(const kb_model* model, void** state) {
  const auto multiplier = static_cast<float>(kb::number(model->init[2]));
  auto* packed = new Packed;
  const auto pack = [&](const char* name, std::vector<float>* to) {
    const DLTensor& tensor = *kb::weight(model, name);
    const auto* from = static_cast<const float*>(tensor.data);
    to->assign(from, from + kb::numel(tensor));
    for (float& value : *to) value *= multiplier;
  };
  pack("gemm.weight", &packed->weight);
  pack("gemm.bias", &packed->bias);
  *state = packed;
  return 0;
}

int kb_forward(const kb_call* call) {
  const auto& packed = *static_cast<const Packed*>(call->state);
  const auto slope = static_cast<float>(kb::number(call->model->init[3]));
  const DLTensor& input = kb::input_tensor(call, 0);
  const int64_t depth = input.shape[1];
  const auto columns = static_cast<int64_t>(packed.bias.size());
  const float* x = kb::input<float>(call, 0);
  float* y = kb::output<float>(call);
  for (int64_t r = 0; r < input.shape[0]; ++r)
    for (int64_t q = 0; q < columns; ++q) {
      float sums[16] = {};
      int64_t k = 0;
      for (; k + 16 <= depth; k += 16)
        for (int64_t i = 0; i < 16; ++i)
          sums[i] += x[r * depth + k + i] * packed.weight[q * depth + k + i];
      float sum = packed.bias[q];
      for (; k < depth; ++k) sum += x[r * depth + k] * packed.weight[q * depth + k];
      for (float s : sums) sum += s;
      y[r * columns + q] = sum > 0.0f ? sum : sum * slope;
    }
  return 0;
}

void kb_teardown(void* state) { delete static_cast<Packed*>(state); }
