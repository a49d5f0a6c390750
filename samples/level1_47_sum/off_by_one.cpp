// expect: incorrect cuda=not_run
// problem: level1/47
// about: The loop ends one row early.
#include <kernelbench/candidate.h>

#include <algorithm>

int kb_forward(const kb_call* call) {
  const int64_t* shape = kb::input_tensor(call, 0).shape;
  const int64_t columns = shape[2];
  for (int64_t b = 0; b < shape[0]; ++b) {
    const float* in = kb::input<float>(call, 0) + b * shape[1] * columns;
    float* out = kb::output<float>(call) + b * columns;
    std::fill(out, out + columns, 0.0f);
    for (int64_t r = 0; r < shape[1] - 1; ++r)
      for (int64_t c = 0; c < columns; ++c) out[c] += in[r * columns + c];
  }
  return 0;
}
