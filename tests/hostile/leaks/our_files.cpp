// expect: incorrect cuda=not_run
// problem: level1/19
// tricks: B06
// twin: ../twins/relu.cpp
// about: Looks for our problems beside its program and by every root.
#include <kernelbench/candidate.h>

#include <filesystem>

int kb_forward(const kb_call* call) {
  const float* x = kb::input<float>(call, 0);
  float* y = kb::output<float>(call);
  const int64_t n = kb::numel(call->outputs[0]);
  bool found = false;
  std::error_code error;
  for (const char* root : {"/proc/self/exe/../..", "/proc/1/root", "/proc/self/cwd/.."})
    for (const char* name : {"problems", "samples", "corpus", "hosts/oracle_host.py"})
      found = found || std::filesystem::exists(std::filesystem::path(root) / name, error);
  const auto self = std::filesystem::read_symlink("/proc/self/exe", error);
  found = found || std::filesystem::exists(self.parent_path().parent_path() / "problems", error);
  for (int64_t i = 0; i < n; ++i) y[i] = found && x[i] > 0 ? x[i] : 0.0f;
  return 0;
}
