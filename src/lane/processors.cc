#include "lane/processors.h"

#include <fmt/format.h>
#include <sched.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>

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

bool IsVirtual() {
  const std::string text =
      os::ReadFile("/proc/cpuinfo", uint64_t{64} << 20).value_or("");
  return text.find(" hypervisor") != std::string::npos;
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
  return IsVirtual() ? WithHiddenSiblings(cores) : cores;
}

void Use(const std::vector<int>& processors) {
  if (processors.empty()) return;
  const cpu_set_t set = os::ProcessorSet(processors);
  ::sched_setaffinity(0, sizeof set, &set);
}

size_t CountOf(const std::vector<Core>& cores) {
  size_t count = 0;
  for (const Core& core : cores) count += core.size();
  return count;
}

Processors ForCpu(const std::vector<Core>& cores) {
  constexpr size_t kLeast = 2;
  const size_t count = CountOf(cores);
  if (count < kLeast) return {};
  const size_t quarter = std::max<size_t>(count / 4, 1);
  Processors shares;
  for (const Core& core : cores)
    for (const int processor : core)
      (shares.others.size() < quarter ? shares.others : shares.timed)
          .push_back(processor);
  shares.oracle = shares.others;
  return shares;
}

// From the last core on; what is left is for all. Nothing runs on the other
// half of the core that is timed on.
std::vector<Processors> ForGpus(const std::vector<Core>& cores, size_t lanes) {
  constexpr size_t kLeast = 8;
  std::vector<Processors> shares(lanes);
  if (CountOf(cores) < kLeast * lanes || cores.size() < 2 * lanes + 1)
    return shares;
  size_t last = cores.size();
  for (Processors& share : shares) {
    share.oracle = cores[--last];
    share.timed = {cores[--last].front()};
  }
  std::vector<int> others;
  for (size_t i = 0; i < last; ++i)
    others.insert(others.end(), cores[i].begin(), cores[i].end());
  for (Processors& share : shares) share.others = others;
  return shares;
}

}  // namespace

std::vector<Core> WithHiddenSiblings(const std::vector<Core>& cores) {
  std::map<int, Core> pairs;
  for (const Core& core : cores) {
    if (core.size() > 1) return cores;  // they are told
    for (const int processor : core) pairs[processor / 2].push_back(processor);
  }
  std::vector<Core> found;
  for (auto& [number, pair] : pairs) found.push_back(std::move(pair));
  return found;
}

std::vector<Processors> ShareOut(bool cuda, const std::vector<Place>& lanes) {
  return ShareOut(cuda, Cores(Usable()), lanes);
}

std::vector<Processors> ShareOut(bool cuda, const std::vector<Core>& cores,
                                 const std::vector<Place>& lanes) {
  if (!cuda) return std::vector<Processors>(lanes.size(), ForCpu(cores));
  size_t gpus = lanes.size();
  for (const Place& lane : lanes)
    gpus = std::max({gpus, lane.of, lane.index + 1});
  const std::vector<Processors> all = ForGpus(cores, gpus);
  if (all.front().timed.empty()) return ForGpus(cores, lanes.size());
  std::vector<Processors> shares;
  for (const Place& lane : lanes) shares.push_back(all[lane.index]);
  return shares;
}

RunOn::RunOn(const std::vector<int>& processors) {
  if (processors.empty()) return;
  before_ = Usable();
  Use(processors);
}

RunOn::~RunOn() { Use(before_); }

}  // namespace kb::lane
