#include "lane/processors.h"

#include <sched.h>

#include <algorithm>
#include <cstddef>

namespace kb::lane {
namespace {

std::vector<int> Usable() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (::sched_getaffinity(0, sizeof set, &set) != 0) return {};
  std::vector<int> usable;
  for (int i = 0; i < CPU_SETSIZE; ++i)
    if (CPU_ISSET(static_cast<size_t>(i), &set)) usable.push_back(i);
  return usable;
}

void Use(const std::vector<int>& processors) {
  if (processors.empty()) return;
  cpu_set_t set;
  CPU_ZERO(&set);
  for (const int processor : processors)
    CPU_SET(static_cast<size_t>(processor), &set);
  ::sched_setaffinity(0, sizeof set, &set);
}

}  // namespace

Processors ShareOut(bool cuda) { return ShareOut(cuda, Usable()); }

Processors ShareOut(bool cuda, const std::vector<int>& usable) {
  constexpr size_t kLeast = 2;
  constexpr size_t kLeastForCuda = 8;
  const size_t count = usable.size();
  if (count < (cuda ? kLeastForCuda : kLeast)) return {};
  const size_t quarter = std::max<size_t>(count / 4, 1);
  const size_t others = cuda ? count - quarter : quarter;
  const auto border = usable.begin() + static_cast<ptrdiff_t>(others);
  const std::vector<int> timed(border, usable.end());
  const std::vector<int> rest(usable.begin(), border);
  return {timed, rest, cuda ? timed : rest};
}

RunOn::RunOn(const std::vector<int>& processors) {
  if (processors.empty()) return;
  before_ = Usable();
  Use(processors);
}

RunOn::~RunOn() { Use(before_); }

}  // namespace kb::lane
