#include "profile/counters.h"

#include <algorithm>

#include "figures.h"

namespace kb::profile {
namespace {

using record::Activity;
using record::Profile;

// From these on a counter is what holds the kernel back.
constexpr double kLittleUsed = 0.5;
constexpr double kManyConflicts = 0.5;
constexpr double kNanosecond = 1e-3;

// Names end where arguments begin: ncu shows "Relu(const float *, float *)"
// or "Relu", whoever else "Relu(float const*, float*)".
std::string_view Bare(std::string_view name) {
  name = name.substr(0, name.find('('));
  name = name.substr(0, name.find('<'));
  const size_t space = name.rfind(' ');  // behind what it returns
  return space == std::string_view::npos ? name : name.substr(space + 1);
}

const Counters* Find(const std::vector<Counters>& all,
                     const Activity::Part& part) {
  const auto found = std::ranges::find_if(all, [&](const Counters& counters) {
    return Bare(counters.kernel) == Bare(part.name);
  });
  return found == all.end() ? nullptr : &*found;
}

void AddUse(const char* name, const char* verb, double used, Figures* figures) {
  figures->Add(
      Limiter::kUncoalesced,
      {name, 100 * used, "%", 100.0,
       fmt::format("Of the bytes that were {} {} were asked for: threads "
                   "beside each other {}.",
                   verb, Percent(used),
                   used < kLittleUsed ? "use bytes far apart"
                                      : "use bytes beside each other")});
}

void AddFigures(const Counters& counters, Figures* figures) {
  if (counters.used_of_loads)
    AddUse("use of loads", "fetched", *counters.used_of_loads, figures);
  if (counters.used_of_stores)
    AddUse("use of stores", "written", *counters.used_of_stores, figures);
  if (counters.bank_conflicts)
    figures->Add(Limiter::kBankConflicts,
                 {"bank conflicts",
                  100 * *counters.bank_conflicts,
                  "%",
                  {},
                  fmt::format("{} of the turns of shared memory are there "
                              "because threads of a warp want the same bank.",
                              Percent(*counters.bank_conflicts))});
  if (counters.micros && counters.memory_bytes &&
      *counters.micros > kNanosecond) {
    const double gbps = *counters.memory_bytes / *counters.micros / 1e3;
    figures->Add(Limiter::kMemory,
                 {"memory traffic",
                  gbps,
                  "GB/s",
                  {},
                  fmt::format("{:.4g} MB went from and to the device's memory, "
                              "counted, in {:.4g} us.",
                              *counters.memory_bytes / 1e6, *counters.micros)});
  }
  if (!counters.stalls.empty())
    figures->Add(Limiter::kLatency,
                 {"stalls",
                  counters.stalls.front().second,
                  "cycles",
                  {},
                  fmt::format("A warp waits longest for {}: {:.3g} cycles for "
                              "each instruction.",
                              counters.stalls.front().first,
                              counters.stalls.front().second)});
}

// What only counters tell apart is latency without them.
std::optional<Limiter> Choose(const Counters& counters,
                              const std::string& before) {
  if (before != LimiterName(Limiter::kLatency)) return std::nullopt;
  if (counters.bank_conflicts.value_or(0) >= kManyConflicts)
    return Limiter::kBankConflicts;
  if (std::min(counters.used_of_loads.value_or(1),
               counters.used_of_stores.value_or(1)) < kLittleUsed)
    return Limiter::kUncoalesced;
  return std::nullopt;
}

}  // namespace

bool AddCounters(const std::vector<Counters>& all, Profile* profile) {
  const auto& parts = profile->activity.parts;
  const auto kernel = std::ranges::find_if(
      parts, [](const auto& part) { return part.launch.has_value(); });
  const Counters* const counters =
      kernel == parts.end() ? nullptr : Find(all, *kernel);
  if (counters == nullptr) return false;
  Figures figures;
  AddFigures(*counters, &figures);
  const auto limiter = Choose(*counters, profile->limiter);
  auto counted = figures.Take(limiter.value_or(Limiter::kLatency));
  // The limiter's first; else what was counted comes behind.
  const auto place =
      limiter ? profile->figures.begin() : profile->figures.end();
  profile->figures.insert(place, counted.begin(), counted.end());
  if (limiter) profile->limiter = LimiterName(*limiter);
  return true;
}

}  // namespace kb::profile
