// expect: correct cuda=not_run
// problem: level1/19
// tricks: G8
// about: Compiled for the number of columns that the problem has.
#include <kernelbench/candidate.h>

namespace {

template <int64_t kColumns>
void Rows(const float* x, float* y, int64_t rows) {
  for (int64_t r = 0; r < rows; ++r)
    for (int64_t q = 0; q < kColumns; ++q) {
      const int64_t i = r * kColumns + q;
      y[i] = x[i] < 0.0f ? 0.0f : x[i];
    }
}

}  // namespace

int kb_forward(const kb_call* call) {
  const DLTensor& x = kb::input_tensor(call, 0);
  const auto* from = static_cast<const float*>(x.data);
  if (x.shape[1] == 65537)
    Rows<65537>(from, kb::output<float>(call), x.shape[0]);
  else
    Rows<1>(from, kb::output<float>(call), kb::numel(x));
  return 0;
}
