// expect: incorrect cuda=not_run
// problem: level1/19
// about: Replays the output of the last call that had the same input address.
#include <kernelbench/candidate.h>

#include <algorithm>
#include <map>
#include <vector>

int kb_forward(const kb_call* call) {
  static std::map<const float*, std::vector<float>> seen;
  const float* x = kb::input<float>(call, 0);
  std::vector<float>& cached = seen[x];
  if (cached.empty()) {
    cached.resize(static_cast<size_t>(kb::numel(call->outputs[0])));
    for (size_t i = 0; i < cached.size(); ++i)
      cached[i] = x[i] < 0.0f ? 0.0f : x[i];
  }
  std::copy(cached.begin(), cached.end(), kb::output<float>(call));
  return 0;
}
