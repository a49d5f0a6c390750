// expect: correct cuda=not_run
// problem: level1/19
// about: Prints 2 GiB in set-up; the log stays bounded, the verdict stands.
#include <kernelbench/candidate.h>

#include <cstdio>
#include <string>

int kb_setup(const kb_model*, void**) {
  const std::string line(1 << 20, '.');
  for (int i = 0; i < 2048; ++i)
    if (std::fwrite(line.data(), 1, line.size(), stdout) != line.size()) break;
  return 0;
}

int kb_forward(const kb_call* call) {
  const float* x = kb::input<float>(call, 0);
  float* y = kb::output<float>(call);
  const int64_t n = kb::numel(call->outputs[0]);
  for (int64_t i = 0; i < n; ++i) y[i] = x[i] < 0.0f ? 0.0f : x[i];
  return 0;
}
