#include <algorithm>
#include <numeric>

#include "figures.h"

namespace kb::profile {
namespace {

using record::Activity;
using record::Origin;
using record::Profile;

// From these on a figure is what holds the candidate back.
constexpr double kMuchOfCeiling = 0.6;
constexpr double kManyGaps = 0.25;
constexpr double kManyCopies = 0.5;
constexpr double kFewWarps = 0.3;
// Kernels that end before the host can launch the next.
constexpr double kManyLaunches = 4;
constexpr double kSlowHost = 1.5;

// The kernel that took most; null: there was none.
const Activity::Part* HottestKernel(const Activity& activity) {
  const auto found = std::ranges::find_if(
      activity.parts, [](const auto& part) { return part.launch.has_value(); });
  return found == activity.parts.end() ? nullptr : &*found;
}

double LaunchesOf(const Activity& activity) {
  return std::accumulate(
      activity.parts.begin(), activity.parts.end(), 0.0,
      [](double sum, const auto& part) { return sum + part.count; });
}

double GapShare(const Activity& activity) {
  return activity.call_us > 0
             ? std::clamp(1 - activity.busy_us / activity.call_us, 0.0, 1.0)
             : 0;
}

double BlocksOf(const Activity::Launch& launch) {
  double blocks = 1;
  for (const int64_t extent : launch.grid)
    blocks *= static_cast<double>(extent);
  return blocks;
}

// What of a call the device works, without what tracing adds: a kernel of many
// small blocks takes up to an eighth longer under CUPTI. The certified time is
// read without it, and no call works longer than it takes.
double BusyUntraced(const Activity& activity, const Grounds& grounds) {
  return grounds.time_us > 0 ? std::min(activity.busy_us, grounds.time_us)
                             : activity.busy_us;
}

bool HasSlowHost(const Grounds& grounds) {
  return grounds.time_us > 0 && grounds.wall_us >= kSlowHost * grounds.time_us;
}

// Fewer bytes of a thread are often for a slow path that is hardly ever taken,
// or for a few registers. Kernels of libraries keep what they like there:
// cuBLAS 120 bytes in matrix products that reach the device's ceiling.
bool SpillsMuch(const Activity::Part& kernel) {
  constexpr int64_t kMuch = 64;
  return kernel.launch->local_bytes >= kMuch &&
         kernel.origin != Origin::kLibrary &&
         kernel.origin != Origin::kFramework;
}

Limiter Choose(const Profile& profile, const Grounds& grounds) {
  const Activity& activity = profile.activity;
  const double launches = LaunchesOf(activity);
  if (launches >= 2 && GapShare(activity) >= kManyGaps)
    return Limiter::kLaunches;
  if (Share(activity, Origin::kCopies) >= kManyCopies) return Limiter::kCopies;
  const double busy = BusyUntraced(activity, grounds);
  const double memory = MemoryShare(grounds, busy);
  const double compute = ComputeShare(grounds, busy);
  if (std::max(memory, compute) >= kMuchOfCeiling)
    return memory >= compute ? Limiter::kMemory : Limiter::kCompute;
  if (launches >= kManyLaunches && HasSlowHost(grounds))
    return Limiter::kLaunches;
  const Activity::Part* const kernel = HottestKernel(activity);
  if (kernel == nullptr) return Limiter::kLatency;
  if (SpillsMuch(*kernel)) return Limiter::kSpills;
  const auto multiprocessors =
      static_cast<double>(grounds.yardstick.limits.multiprocessors);
  if (BlocksOf(*kernel->launch) < multiprocessors) return Limiter::kParallelism;
  const auto& occupancy = profile.occupancies.at(
      static_cast<size_t>(kernel - activity.parts.data()));
  return occupancy && occupancy->share < kFewWarps ? Limiter::kOccupancy
                                                   : Limiter::kLatency;
}

void AddGaps(const Activity& activity, const Grounds& grounds,
             Figures* figures) {
  const double launches = LaunchesOf(activity);
  const double gaps = GapShare(activity);
  figures->Add(
      Limiter::kLaunches,
      {"launch gaps",
       100 * gaps,
       "%",
       {},
       fmt::format("{:.4g} kernels, copies and fills a call; {} of the {:.4g} "
                   "us between the first and the last the device has nothing "
                   "to do.",
                   launches, Percent(gaps), activity.call_us)});
  if (HasSlowHost(grounds))
    figures->Add(
        Limiter::kLaunches,
        {"host time",
         grounds.wall_us,
         "us",
         {},
         fmt::format("One call after the other takes {:.4g} us where the "
                     "device needs {:.4g}: the rest is the host's, for fewer "
                     "launches or a CUDA graph to save.",
                     grounds.wall_us, grounds.time_us)});
}

void AddKernel(const Profile& profile, const Activity::Part& part,
               const Grounds& grounds, Figures* figures) {
  const Activity::Launch& launch = *part.launch;
  const auto& occupancy = profile.occupancies.at(
      static_cast<size_t>(&part - profile.activity.parts.data()));
  if (occupancy)
    figures->Add(
        Limiter::kOccupancy,
        {"occupancy", 100 * occupancy->share, "%", 100.0,
         fmt::format(
             "{} of the warps that a processor has room for can be "
             "there at a time, limited by {}: {} registers a thread, "
             "{} bytes of shared memory a block.",
             Percent(occupancy->share), occupancy->limited_by, launch.registers,
             launch.static_shared_bytes + launch.dynamic_shared_bytes)});
  const auto multiprocessors =
      static_cast<double>(grounds.yardstick.limits.multiprocessors);
  if (multiprocessors > 0 && BlocksOf(launch) < 4 * multiprocessors)
    figures->Add(Limiter::kParallelism,
                 {"blocks",
                  BlocksOf(launch),
                  "blocks",
                  {},
                  fmt::format("{:.0f} blocks for {:.0f} processors: {}.",
                              BlocksOf(launch), multiprocessors,
                              BlocksOf(launch) < multiprocessors
                                  ? "some have nothing to do"
                                  : "the last ones to end keep few busy")});
  if (launch.local_bytes > 0)
    figures->Add(
        Limiter::kSpills,
        {"local memory",
         static_cast<double>(launch.local_bytes),
         "bytes",
         {},
         fmt::format("{} bytes a thread do not fit its {} registers or are "
                     "indexed arrays: they go through the caches at every use.",
                     launch.local_bytes, launch.registers)});
}

}  // namespace

Limiter ExplainOnCuda(const Profile& profile, const Grounds& grounds,
                      Figures* figures) {
  const Activity& activity = profile.activity;
  AddRates(grounds, BusyUntraced(activity, grounds), figures);
  const Activity::Part* const kernel = HottestKernel(activity);
  if (kernel != nullptr)
    figures->Add(
        Limiter::kLatency,
        {"hottest kernel",
         100 * kernel->share,
         "%",
         {},
         fmt::format("{} has {} of the device's time; where neither memory nor "
                     "arithmetic is near its ceiling, look at how it reads "
                     "memory and at what its threads wait for.",
                     NameOf(*kernel), Percent(kernel->share))});
  AddGaps(activity, grounds, figures);
  const double copies = Share(activity, Origin::kCopies);
  if (copies >= 0.02)
    figures->Add(Limiter::kCopies,
                 {"copies",
                  100 * copies,
                  "%",
                  {},
                  fmt::format("{} of the device's time goes to copies and "
                              "fills by CUDA's functions.",
                              Percent(copies))});
  if (kernel != nullptr) AddKernel(profile, *kernel, grounds, figures);
  return Choose(profile, grounds);
}

}  // namespace kb::profile
