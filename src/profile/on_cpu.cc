#include <array>
#include <numeric>
#include <string_view>

#include "figures.h"

namespace kb::profile {
namespace {

using record::Activity;
using record::Origin;

// From these on a figure is what holds the candidate back.
constexpr double kMuchHost = 0.5;
constexpr double kMuchWaiting = 0.4;
constexpr double kMuchSystem = 0.3;
constexpr double kOneProcessor = 1.3;
// Signals of the sampler are the system's work, too; faults are not ours.
constexpr double kMicrosOfFault = 10;

// The runtimes of OpenMP do nothing but hand out work and wait.
double WaitingShare(const Activity& activity) {
  constexpr std::array<std::string_view, 3> kRuntimes{"libgomp", "libomp",
                                                      "libiomp5"};
  double sum = 0;
  for (const Activity::Part& part : activity.parts)
    for (const std::string_view runtime : kRuntimes)
      if (part.object.starts_with(runtime)) sum += part.share;
  return sum;
}

double SystemShare(const Activity& activity) {
  return activity.busy_us > 0
             ? std::min(1.0, activity.system_us / activity.busy_us)
             : 0;
}

double ProcessorsUsed(const Activity& activity) {
  return activity.call_us > 0 ? activity.busy_us / activity.call_us : 0;
}

const char* WhatTheRestDoes(const Activity& activity) {
  constexpr double kNearlyAll = 0.9;
  const double used = ProcessorsUsed(activity);
  if (activity.processors > 1 && used < kOneProcessor)
    return "the others have nothing to do";
  return used < kNearlyAll * static_cast<double>(activity.processors)
             ? "the rest of the time is spent waiting"
             : "there is nothing left over";
}

Limiter Choose(const Activity& activity) {
  if (Share(activity, Origin::kHost) >= kMuchHost) return Limiter::kHost;
  if (WaitingShare(activity) >= kMuchWaiting) return Limiter::kWaiting;
  if (SystemShare(activity) >= kMuchSystem &&
      activity.busy_us <= kMicrosOfFault * activity.page_faults)
    return Limiter::kSystem;
  if (activity.processors > 1 && ProcessorsUsed(activity) < kOneProcessor)
    return Limiter::kSerial;
  return Limiter::kCode;
}

// What could be had of a part with that share.
std::string Promise(double share) {
  constexpr double kNearlyAll = 0.95;
  return share >= kNearlyAll
             ? "there is nothing else to look at"
             : fmt::format("were it free, a call would be {:.3g} times as fast",
                           1 / (1 - share));
}

void AddHottest(const Activity& activity, Figures* figures) {
  if (activity.parts.empty()) return;
  const Activity::Part& part = activity.parts.front();
  figures->Add(Limiter::kCode,
               {"hottest function",
                100 * part.share,
                "%",
                {},
                fmt::format("{} has {} of the time: {}.", NameOf(part),
                            Percent(part.share), Promise(part.share))});
}

}  // namespace

Limiter ExplainOnCpu(const Activity& activity, const Grounds& grounds,
                     Figures* figures) {
  AddHottest(activity, figures);
  const double used = ProcessorsUsed(activity);
  figures->Add(Limiter::kSerial,
               {"processors busy", used, "processors",
                activity.processors > 0
                    ? std::optional(static_cast<double>(activity.processors))
                    : std::nullopt,
                fmt::format("{:.3g} of {} processors work: {}.", used,
                            activity.processors, WhatTheRestDoes(activity))});
  const double host = Share(activity, Origin::kHost);
  if (host >= 0.05)
    figures->Add(
        Limiter::kHost,
        {"host",
         100 * host,
         "%",
         {},
         fmt::format("{} of the time goes to the interpreter and PyTorch's "
                     "bindings: fewer and larger operations have less of it.",
                     Percent(host))});
  const double waiting = WaitingShare(activity);
  if (waiting >= 0.05)
    figures->Add(Limiter::kWaiting,
                 {"waiting",
                  100 * waiting,
                  "%",
                  {},
                  fmt::format("{} of the time the calling thread is in the "
                              "runtime of OpenMP: it waits for threads with "
                              "more work, or parts are too small.",
                              Percent(waiting))});
  const double system = SystemShare(activity);
  if (system >= 0.05)
    figures->Add(
        Limiter::kSystem,
        {"system",
         100 * system,
         "%",
         {},
         fmt::format("{} of the processor time is the system's, with {:.4g} "
                     "page faults a call: memory that is kept from call to "
                     "call has none.",
                     Percent(system), activity.page_faults)});
  AddRates(grounds, grounds.time_us > 0 ? grounds.time_us : activity.call_us,
           figures);
  return Choose(activity);
}

}  // namespace kb::profile
