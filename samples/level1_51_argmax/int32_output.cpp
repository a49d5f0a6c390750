// expect: incorrect cuda=not_run
// problem: level1/51
// about: Writes 32-bit indices into the 64-bit output.
#include <kernelbench/candidate.h>

int kb_forward(const kb_call* call) {
  const int64_t* shape = kb::input_tensor(call, 0).shape;
  const int64_t columns = shape[2];
  for (int64_t b = 0; b < shape[0]; ++b) {
    const float* in = kb::input<float>(call, 0) + b * shape[1] * columns;
    int32_t* out = kb::output<int32_t>(call) + b * columns;
    for (int64_t c = 0; c < columns; ++c) {
      int32_t best = 0;
      for (int32_t r = 1; r < shape[1]; ++r)
        if (in[r * columns + c] > in[best * columns + c]) best = r;
      out[c] = best;
    }
  }
  return 0;
}
