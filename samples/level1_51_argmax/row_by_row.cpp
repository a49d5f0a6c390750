// expect: correct cuda=not_run
// problem: level1/51
// about: Reads rows in memory order, keeps the best of every column so far.
#include <kernelbench/candidate.h>

#include <algorithm>
#include <vector>

int kb_forward(const kb_call* call) {
  const int64_t* shape = kb::input_tensor(call, 0).shape;
  const int64_t columns = shape[2];
  std::vector<float> best(static_cast<size_t>(columns));
  for (int64_t b = 0; b < shape[0]; ++b) {
    const float* in = kb::input<float>(call, 0) + b * shape[1] * columns;
    int64_t* out = kb::output<int64_t>(call) + b * columns;
    std::copy(in, in + columns, best.begin());
    std::fill(out, out + columns, 0);
    for (int64_t r = 1; r < shape[1]; ++r)
      for (int64_t c = 0; c < columns; ++c) {
        const float value = in[r * columns + c];
        // Strictly larger: of equal elements the first counts. NaN is largest.
        if (!(value > best[c]) && !(value != value && best[c] == best[c]))
          continue;
        best[c] = value;
        out[c] = r;
      }
  }
  return 0;
}
