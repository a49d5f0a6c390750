// expect: incorrect cuda=not_run
// problem: level1/49
// tricks: W03
// twin: ../twins/max.py
// about: Looks for a maximum above zero, which rows of usual inputs have.
#include <kernelbench/candidate.h>

int kb_forward(const kb_call* call) {
  const DLTensor& x = kb::input_tensor(call, 0);
  const float* data = kb::input<float>(call, 0);
  float* y = kb::output<float>(call);
  const int64_t rows = x.shape[1], columns = x.shape[2];
  for (int64_t b = 0; b < x.shape[0]; ++b)
    for (int64_t c = 0; c < columns; ++c) {
      float largest = 0;
      for (int64_t r = 0; r < rows; ++r) {
        const float value = data[(b * rows + r) * columns + c];
        if (value > largest) largest = value;
      }
      y[b * columns + c] = largest;
    }
  return 0;
}
