// expect: correct cuda=not_run
// problem: level3/43
// about: Causal attention by the book: project, score, softmax, mix, project.
#include <kernelbench/candidate.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace {

float Dot(const float* a, const float* b, int64_t n) {
  float sum = 0.0f;
  for (int64_t i = 0; i < n; ++i) sum += a[i] * b[i];
  return sum;
}

// y (rows, columns) = x (rows, depth) @ weight (columns, depth)^T + bias
void Linear(const kb_call* call, const char* weight, const char* bias,
            const float* x, float* y, int64_t rows) {
  const DLTensor& w = *kb::weight(call->model, weight);
  const auto* b =
      static_cast<const float*>(kb::weight(call->model, bias)->data);
  const int64_t columns = w.shape[0];
  const int64_t depth = w.shape[1];
  for (int64_t r = 0; r < rows; ++r)
    for (int64_t q = 0; q < columns; ++q)
      y[r * columns + q] =
          b[q] + Dot(x + r * depth,
                     static_cast<const float*>(w.data) + q * depth, depth);
}

// One query over the keys 0..last of its head; rows lie `pitch` apart.
void Attend(const float* query, const float* keys, const float* values,
            int64_t last, int64_t head, int64_t pitch, float* out) {
  std::vector<float> weights;
  const float scale = 1.0f / std::sqrt(static_cast<float>(head));
  for (int64_t k = 0; k <= last; ++k)
    weights.push_back(Dot(query, keys + k * pitch, head) * scale);
  const float highest = *std::max_element(weights.begin(), weights.end());
  float sum = 0.0f;
  for (float& w : weights) sum += w = std::exp(w - highest);
  std::fill(out, out + head, 0.0f);
  for (int64_t k = 0; k <= last; ++k)
    for (int64_t d = 0; d < head; ++d)
      out[d] += weights[k] / sum * values[k * pitch + d];
}

}  // namespace

int kb_forward(const kb_call* call) {
  const int64_t* shape = call->outputs[0].shape;
  const int64_t batch = shape[0];
  const int64_t length = shape[1];
  const int64_t width = shape[2];
  const auto heads = static_cast<int64_t>(kb::number(call->model->init[1]));
  const int64_t head = width / heads;
  std::vector<float> qkv(static_cast<size_t>(batch * length * 3 * width));
  std::vector<float> mixed(static_cast<size_t>(batch * length * width));

  Linear(call, "c_attn.weight", "c_attn.bias", kb::input<float>(call, 0),
         qkv.data(), batch * length);
  for (int64_t b = 0; b < batch; ++b)
    for (int64_t h = 0; h < heads; ++h) {
      const float* q = qkv.data() + b * length * 3 * width + h * head;
      float* out = mixed.data() + b * length * width + h * head;
      for (int64_t t = 0; t < length; ++t)
        Attend(q + t * 3 * width, q + width, q + 2 * width, t, head, 3 * width,
               out + t * width);
    }
  Linear(call, "c_proj.weight", "c_proj.bias", mixed.data(),
         kb::output<float>(call), batch * length);
  return 0;
}
