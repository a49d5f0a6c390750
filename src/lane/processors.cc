#include "lane/processors.h"

#include <fmt/format.h>
#include <sched.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <string>

#include "os/files.h"
#include "os/processor_set.h"

namespace kb::lane {
namespace {

std::vector<int> Usable() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (::sched_getaffinity(0, sizeof set, &set) != 0) return {};
  return os::ProcessorsOf(set);
}

// In the order of their first processors; one core each where the system does
// not tell.
std::vector<Core> Cores(const std::vector<int>& usable) {
  std::vector<Core> cores;
  std::map<std::string, size_t> known;
  for (const int processor : usable) {
    const auto siblings =
        os::ReadFile(fmt::format("/sys/devices/system/cpu/cpu{}/topology/"
                                 "thread_siblings_list",
                                 processor),
                     4096);
    const auto [found, is_new] = known.try_emplace(
        siblings ? *siblings : std::to_string(processor), cores.size());
    if (is_new) cores.emplace_back();
    cores[found->second].push_back(processor);
  }
  return cores;
}

void Use(const std::vector<int>& processors) {
  if (processors.empty()) return;
  const cpu_set_t set = os::ProcessorSet(processors);
  ::sched_setaffinity(0, sizeof set, &set);
}

}  // namespace

Processors ShareOut(bool cuda) { return ShareOut(cuda, Cores(Usable())); }

Processors ShareOut(bool cuda, const std::vector<Core>& cores) {
  constexpr size_t kLeast = 2;
  constexpr size_t kLeastForCuda = 8;
  size_t count = 0;
  for (const Core& core : cores) count += core.size();
  if (count < (cuda ? kLeastForCuda : kLeast) || (cuda && cores.size() < 3))
    return {};
  const size_t quarter = std::max<size_t>(count / 4, 1);
  Processors shares;
  if (!cuda) {
    for (const Core& core : cores)
      for (const int processor : core)
        (shares.others.size() < quarter ? shares.others : shares.timed)
            .push_back(processor);
    shares.oracle = shares.others;
    return shares;
  }
  shares.oracle = cores.back();
  size_t last = cores.size() - 1;
  while (shares.timed.empty() ||
         shares.timed.size() + shares.oracle.size() < quarter) {
    const Core& core = cores[--last];
    shares.timed.insert(shares.timed.begin(), core.begin(), core.end());
  }
  for (size_t i = 0; i < last; ++i)
    shares.others.insert(shares.others.end(), cores[i].begin(), cores[i].end());
  return shares;
}

RunOn::RunOn(const std::vector<int>& processors) {
  if (processors.empty()) return;
  before_ = Usable();
  Use(processors);
}

RunOn::~RunOn() { Use(before_); }

}  // namespace kb::lane
