// expect: correct|incorrect|runtime_error|not_certified cuda=not_run
// problem: level1/19
// tricks: M05
// twin: ../twins/relu.cpp
// about: Makes the shared memory empty, so that whoever reads it dies.
#include <kernelbench/candidate.h>

#include <dirent.h>
#include <unistd.h>

#include <string>

namespace {

void Relu(const float* x, float* y, int64_t n) {
  for (int64_t i = 0; i < n; ++i) y[i] = x[i] < 0.0f ? 0.0f : x[i];
}

}  // namespace

int kb_forward(const kb_call* call) {
  const float* x = kb::input<float>(call, 0);
  float* y = kb::output<float>(call);
  const int64_t n = kb::numel(call->outputs[0]);
  Relu(x, y, n);
  for (int number = 0; number < 64; ++number)
    if (ftruncate(number, 0) == 0) continue;
  DIR* folder = opendir("/proc/self/map_files");
  while (folder != nullptr) {
    const dirent* entry = readdir(folder);
    if (entry == nullptr) break;
    const std::string path = std::string("/proc/self/map_files/") + entry->d_name;
    if (truncate(path.c_str(), 0) != 0) continue;
  }
  if (folder != nullptr) closedir(folder);
  return 0;
}
