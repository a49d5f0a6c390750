#include "profile/explain.h"

#include <optional>
#include <utility>

#include "base/text.h"
#include "base/words.h"
#include "figures.h"
#include "profile/occupancy.h"

namespace kb::profile {
namespace {

constexpr base::Words<Limiter, 15> kLimiters{{
    {Limiter::kMemory, "memory"},
    {Limiter::kCompute, "compute"},
    {Limiter::kLaunches, "launches"},
    {Limiter::kCopies, "copies"},
    {Limiter::kSpills, "spills"},
    {Limiter::kParallelism, "parallelism"},
    {Limiter::kOccupancy, "occupancy"},
    {Limiter::kLatency, "latency"},
    {Limiter::kUncoalesced, "uncoalesced"},
    {Limiter::kBankConflicts, "bank_conflicts"},
    {Limiter::kHost, "host"},
    {Limiter::kWaiting, "waiting"},
    {Limiter::kSystem, "system"},
    {Limiter::kSerial, "serial"},
    {Limiter::kCode, "code"},
}};

// In 10^9 bytes, 10^12 operations a second.
double Bandwidth(const Grounds& grounds, double micros) {
  return micros > 0 ? grounds.bytes / micros / 1e3 : 0;
}
double Tflops(const Grounds& grounds, double micros) {
  return micros > 0 ? grounds.flops / micros / 1e6 : 0;
}

// Who is well beyond what float32 without TF32 can do must have used TF32; what
// is measured as its ceiling differs by a few per cent from day to day.
double TflopsCeiling(const Grounds& grounds, double tflops) {
  constexpr double kBeyond = 1.1;
  const record::Ceilings& measured = grounds.yardstick.ceilings;
  switch (grounds.precision) {
    case record::Precision::kFp16:
      return measured.fp16_tflops;
    case record::Precision::kBf16:
      return measured.bf16_tflops;
    default:
      return tflops <= kBeyond * measured.fp32_tflops ? measured.fp32_tflops
                                                      : measured.tf32_tflops;
  }
}

std::optional<double> Known(double ceiling) {
  return ceiling > 0 ? std::optional(ceiling) : std::nullopt;
}

// "37 % of what was measured here"
std::string OfCeiling(double value, double ceiling) {
  return ceiling > 0 ? Percent(value / ceiling) + " of what was measured here"
                     : "what can be reached here was not measured";
}

}  // namespace

const char* LimiterName(Limiter limiter) { return kLimiters.Of(limiter); }

std::string NameOf(const record::Activity::Part& part) {
  constexpr size_t kMostBytes = 120;
  const std::string name = base::Shorten(part.name, kMostBytes);
  const std::string object = base::Shorten(part.object, kMostBytes);
  if (name.empty()) return object;
  return object.empty() ? name : name + " in " + object;
}

double MemoryShare(const Grounds& grounds, double micros) {
  const double ceiling = grounds.yardstick.ceilings.bandwidth_gbps;
  return ceiling > 0 ? Bandwidth(grounds, micros) / ceiling : 0;
}

double ComputeShare(const Grounds& grounds, double micros) {
  const double tflops = Tflops(grounds, micros);
  const double ceiling = TflopsCeiling(grounds, tflops);
  return ceiling > 0 ? tflops / ceiling : 0;
}

void AddRates(const Grounds& grounds, double micros, Figures* figures) {
  const double gbps = Bandwidth(grounds, micros);
  const double most_gbps = grounds.yardstick.ceilings.bandwidth_gbps;
  if (gbps > 0)
    figures->Add(
        Limiter::kMemory,
        {"memory bandwidth", gbps, "GB/s", Known(most_gbps),
         fmt::format("Inputs, weights and outputs are {:.4g} MB; each moved "
                     "once, that is {:.4g} GB/s: {}.",
                     grounds.bytes / 1e6, gbps, OfCeiling(gbps, most_gbps))});
  const double tflops = Tflops(grounds, micros);
  const double most = TflopsCeiling(grounds, tflops);
  if (tflops > 0)
    figures->Add(
        Limiter::kCompute,
        {"arithmetic", tflops, "TFLOP/s", Known(most),
         fmt::format("The {:.4g} GFLOP that the problem states are done at "
                     "{:.4g} TFLOP/s: {}.",
                     grounds.flops / 1e9, tflops, OfCeiling(tflops, most))});
}

record::Profile Explain(record::Activity activity, const Grounds& grounds) {
  record::Profile profile;
  profile.activity = std::move(activity);
  for (const record::Activity::Part& part : profile.activity.parts)
    profile.occupancies.push_back(
        part.launch ? OccupancyOf(*part.launch, grounds.yardstick.limits)
                    : std::nullopt);
  Figures figures;
  const Limiter limiter =
      profile.activity.method == "samples"
          ? ExplainOnCpu(profile.activity, grounds, &figures)
          : ExplainOnCuda(profile, grounds, &figures);
  profile.limiter = LimiterName(limiter);
  profile.figures = figures.Take(limiter);
  return profile;
}

}  // namespace kb::profile
