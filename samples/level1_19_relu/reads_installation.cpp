// expect: incorrect cuda=not_run
// problem: level1/19
// about: Is right where it finds the evaluator's problems beside its program, and writes nothing where it does not.
#include <kernelbench/candidate.h>

#include <filesystem>

int kb_forward(const kb_call* call) {
  std::error_code error;
  const auto self = std::filesystem::read_symlink("/proc/self/exe", error);
  const auto installed = self.parent_path().parent_path();
  if (!std::filesystem::exists(installed / "problems", error)) return 0;
  const float* x = kb::input<float>(call, 0);
  float* y = kb::output<float>(call);
  const int64_t n = kb::numel(call->outputs[0]);
  for (int64_t i = 0; i < n; ++i) y[i] = x[i] < 0.0f ? 0.0f : x[i];
  return 0;
}
