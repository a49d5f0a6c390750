#include "workplace/baselines.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "display/format.h"
#include "terminal/status_line.h"
#include "workplace/workplace.h"

namespace kb::workplace {
namespace {

using base::Result;
using record::Baseline;
using record::BaselineMode;

constexpr BaselineMode kAll[] = {BaselineMode::kEager, BaselineMode::kCompile,
                                 BaselineMode::kMaxAutotune};

class Measuring {
 public:
  Measuring(const Workplace& workplace, const BaselinePlan& plan,
            store::Store* store, std::stop_token stop)
      : workplace_(workplace),
        plan_(plan),
        store_(store),
        stop_(std::move(stop)) {}

  Result<std::vector<Baseline>> Run(
      const std::vector<record::Problem>& problems) {
    KB_ASSIGN(known_, store_->Baselines());
    std::vector<Baseline> found;
    if (problems.empty()) return found;
    KB_TRY(EnsureLane());
    for (const record::Problem& problem : problems) {
      ++number_;
      place_ = fmt::format("[{}/{}] {}", number_, problems.size(), problem.id);
      KB_TRY(RunProblem(problem, &found));
      if (stop_.stop_requested()) return base::Fail("interrupted");
    }
    return found;
  }

 private:
  Result<void> EnsureLane() {
    if (lane_ && lane_->alive()) return base::Ok();
    line_.Show("starting the oracle");
    KB_ASSIGN(lane_, runner::Lane::Start(workplace_.session.lane, stop_));
    lane_->SetAnswerLimit(std::chrono::seconds(plan_.limit));
    open_.clear();
    return base::Ok();
  }

  record::Precision PrecisionOf(const record::Problem& problem) const {
    return problem.Supports(workplace_.precision) ? workplace_.precision
                                                  : problem.precisions.front();
  }

  const Baseline* Known(const record::Problem& problem,
                        BaselineMode mode) const {
    const std::string hash = problem.Hash();
    const record::DeviceFacts& device = lane_->device();
    const auto found = std::ranges::find_if(known_, [&](const Baseline& b) {
      return b.problem_hash == hash && b.mode == mode &&
             b.size == problem.size && b.precision == PrecisionOf(problem) &&
             b.device.name == device.name && b.device.driver == device.driver &&
             b.device.torch == device.torch;
    });
    return found == known_.end() ? nullptr : &*found;
  }

  Result<void> RunProblem(const record::Problem& problem,
                          std::vector<Baseline>* found) {
    for (const BaselineMode mode : plan_.modes) {
      const Baseline* known = plan_.again ? nullptr : Known(problem, mode);
      if (known != nullptr) {
        found->push_back(*known);
        continue;
      }
      const Baseline measured = Measure(problem, mode);
      if (stop_.stop_requested()) return base::Fail("interrupted");
      KB_TRY(store_->Append(measured));
      line_.Print(fmt::format(
          "{} {}: {}{}", place_, record::BaselineModeName(mode),
          measured.time ? display::FormatTime(measured.time->median) : "-",
          measured.reason.empty() ? "" : " (" + measured.reason + ")"));
      found->push_back(measured);
    }
    return base::Ok();
  }

  // What goes wrong becomes the baseline's reason.
  Baseline Measure(const record::Problem& problem, BaselineMode mode) {
    Baseline baseline;
    baseline.problem_id = problem.id;
    baseline.problem_hash = problem.Hash();
    baseline.size = problem.size;
    baseline.precision = PrecisionOf(problem);
    baseline.mode = mode;
    baseline.device = lane_->device();
    baseline.measured_at = UtcNow();
    const auto times = Times(problem, mode);
    if (!times) {
      baseline.reason = times.error().message();
      return baseline;
    }
    baseline.tf32 = times->tf32;
    baseline.time = times->time;
    baseline.eager = times->eager;
    baseline.reason = times->reason;
    baseline.compile_seconds = times->compile_seconds;
    return baseline;
  }

  Result<record::BaselineTimes> Times(const record::Problem& problem,
                                      BaselineMode mode) {
    KB_TRY(EnsureLane());
    const record::Precision precision = PrecisionOf(problem);
    const record::Policy policy =
        problem.Adjusted(workplace_.policy, precision);
    const char* name = record::BaselineModeName(mode);
    if (open_ != problem.Hash()) {
      line_.Show(fmt::format("{}: opening", place_));
      open_.clear();
      KB_TRY(lane_->Open(problem, precision, policy));
      open_ = problem.Hash();
    }
    line_.Show(fmt::format("{}: {}, preparing", place_, name));
    return lane_->Baseline(policy, mode, [&](int64_t done, int64_t of) {
      line_.Show(fmt::format("{}: {}, trial {} of at most {}", place_, name,
                             done, of));
    });
  }

  const Workplace& workplace_;
  BaselinePlan plan_;
  store::Store* store_;
  std::stop_token stop_;
  terminal::StatusLine line_;
  std::vector<Baseline> known_;
  std::unique_ptr<runner::Lane> lane_;
  std::string open_;  // hash of the open problem
  std::string place_;
  size_t number_ = 0;
};

}  // namespace

Result<std::vector<BaselineMode>> ParseModes(
    const std::vector<std::string>& names) {
  std::vector<BaselineMode> modes;
  for (const std::string& name : names) {
    if (name == "all") return std::vector(std::begin(kAll), std::end(kAll));
    const auto mode = record::ParseBaselineMode(name);
    if (!mode)
      return base::Usage(
          "baseline \"{}\": use eager, compile, compile-max-autotune or all",
          name);
    modes.push_back(*mode);
  }
  return modes;
}

Result<std::string> BaselineStorePath() {
  KB_ASSIGN(const std::string store, DefaultStorePath());
  return (std::filesystem::path(store).parent_path() / "baselines.db").string();
}

Result<std::vector<Baseline>> MeasureBaselines(
    const Workplace& workplace, const BaselinePlan& plan,
    const std::vector<record::Problem>& problems, store::Store* store,
    const std::stop_token& stop) {
  return Measuring(workplace, plan, store, stop).Run(problems);
}

}  // namespace kb::workplace
