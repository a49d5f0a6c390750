#include "workplace/baselines.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/text.h"
#include "eval/session.h"
#include "html/format.h"
#include "os/status_line.h"
#include "workplace/workplace.h"

namespace kb::workplace {
namespace {

using base::Result;
using record::Baseline;
using record::BaselineMode;

constexpr BaselineMode kAll[] = {BaselineMode::kEager,
                                 BaselineMode::kCompile,
                                 BaselineMode::kReduceOverhead,
                                 BaselineMode::kMaxAutotune,
                                 BaselineMode::kMaxAutotuneNoCudagraphs,
                                 BaselineMode::kCudagraphs};

// As the host of Python models takes it (hosts/candidate_host.py).
const char* TorchMode(BaselineMode mode) {
  switch (mode) {
    case BaselineMode::kEager:
      return "eager";
    case BaselineMode::kCompile:
      return "default";
    case BaselineMode::kReduceOverhead:
      return "reduce-overhead";
    case BaselineMode::kMaxAutotune:
      return "max-autotune";
    case BaselineMode::kMaxAutotuneNoCudagraphs:
      return "max-autotune-no-cudagraphs";
    case BaselineMode::kCudagraphs:
      return "cudagraphs";
  }
  return "";
}

// One baseline that is missing.
struct Wanted {
  record::Problem problem;
  BaselineMode mode;
  size_t place;        // in the list that was asked for
  std::string remark;  // of the first try
};

class Measuring : public eval::Observer {
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
    for (const record::Problem& problem : problems)
      for (const BaselineMode mode : plan_.modes) {
        const Baseline* known = plan_.again ? nullptr : Known(problem, mode);
        if (known == nullptr)
          wanted_.push_back({problem, mode, found_.size(), ""});
        found_.push_back(known != nullptr ? *known : Baseline());
      }
    // What compiles to other values is timed all the same, and said.
    while (!wanted_.empty()) KB_TRY(Measure());
    return found_;
  }

  void OnStep(size_t index, const std::string& step) override {
    const Wanted& wanted = wanted_.at(index);
    line_.Show(fmt::format("[{}/{}] {}: {}, {}", index + 1, wanted_.size(),
                           wanted.problem.id,
                           record::BaselineModeName(wanted.mode), step));
  }

  void OnDone(size_t index, const record::Evaluation& evaluation) override {
    Wanted& wanted = wanted_.at(index);
    if (evaluation.verdict == record::Verdict::kIncorrect &&
        wanted.remark.empty()) {
      wanted.remark = "compiled, " + evaluation.reason;
      again_.push_back(wanted);
      return;
    }
    const Baseline baseline = BaselineOf(wanted, evaluation);
    const auto kept = store_->Append(baseline);
    if (!kept && !failed_) failed_ = kept.error();
    line_.Print(fmt::format(
        "[{}/{}] {} {}: {}{}", index + 1, wanted_.size(), wanted.problem.id,
        record::BaselineModeName(wanted.mode),
        baseline.time ? html::FormatTime(baseline.time->median) : "-",
        baseline.reason.empty() ? "" : " (" + baseline.reason + ")"));
    found_.at(wanted.place) = baseline;
  }

 private:
  Result<void> Measure() {
    std::vector<eval::Task> tasks;
    for (const Wanted& wanted : wanted_) tasks.push_back(TaskOf(wanted));
    KB_TRY(eval::JudgeAll(tasks, workplace_.compiler, workplace_.session, this,
                          stop_));
    if (failed_) return base::Propagate(*failed_);
    wanted_ = std::move(again_);
    again_.clear();
    return base::Ok();
  }

  eval::Task TaskOf(const Wanted& wanted) const {
    const record::Precision precision = PrecisionOf(wanted.problem);
    record::Policy policy =
        wanted.problem.Adjusted(workplace_.policy, precision);
    policy.public_trials = std::max<int64_t>(policy.public_trials, 1);
    policy.load_seconds = static_cast<double>(plan_.limit);
    policy.wall_seconds = 2 * static_cast<double>(plan_.limit);
    if (!wanted.remark.empty()) {
      constexpr double kAny = 1e30;
      policy.tolerance = {kAny, kAny};
      policy.error_multiple = 0;
    }
    return eval::ReferenceTask(wanted.problem, precision, policy,
                               TorchMode(wanted.mode));
  }

  record::Precision PrecisionOf(const record::Problem& problem) const {
    return problem.Supports(workplace_.precision) ? workplace_.precision
                                                  : problem.precisions.front();
  }

  // Of this machine and by today's ruler.
  const Baseline* Known(const record::Problem& problem,
                        BaselineMode mode) const {
    const std::string hash = problem.Hash();
    const auto found = std::ranges::find_if(known_, [&](const Baseline& b) {
      return b.problem_hash == hash && b.mode == mode &&
             b.ruler == record::kRulerVersion && b.size == problem.size &&
             b.precision == PrecisionOf(problem) && IsHere(b.device);
    });
    return found == known_.end() ? nullptr : &*found;
  }

  bool IsHere(const record::DeviceFacts& device) const {
    const auto& python = workplace_.compiler.toolchain().python.tool;
    if (!python || device.torch != python->torch_version ||
        device.device != workplace_.session.lane.device)
      return false;
    if (device.device == "cpu") return true;
    // A stored one ends with CUDA's version: "580.159.04 (CUDA 13.0)".
    if (!device.driver.starts_with(python->driver)) return false;
    return std::ranges::any_of(python->cuda_devices, [&](const auto& d) {
      return device.device == fmt::format("cuda:{}", d.index) &&
             device.name == d.name;
    });
  }

  // What goes wrong becomes the baseline's reason.
  Baseline BaselineOf(const Wanted& wanted,
                      const record::Evaluation& evaluation) const {
    Baseline baseline;
    baseline.problem_id = wanted.problem.id;
    baseline.problem_hash = wanted.problem.Hash();
    baseline.size = wanted.problem.size;
    baseline.precision = PrecisionOf(wanted.problem);
    baseline.mode = wanted.mode;
    baseline.device = evaluation.device;
    baseline.measured_at = UtcNow();
    baseline.time = evaluation.candidate_time;
    baseline.eager = wanted.mode == BaselineMode::kEager
                         ? std::nullopt
                         : evaluation.reference_time;
    baseline.reason =
        baseline.time ? wanted.remark
                      : base::Shorten(base::Printable(evaluation.reason), 500);
    if (!evaluation.ruler) return baseline;
    baseline.tf32 = evaluation.ruler->tf32;
    baseline.compile_seconds = evaluation.ruler->first_us / 1e6;
    return baseline;
  }

  const Workplace& workplace_;
  BaselinePlan plan_;
  store::Store* store_;
  std::stop_token stop_;
  os::StatusLine line_;
  std::vector<Baseline> known_;
  std::vector<Baseline> found_;
  std::vector<Wanted> wanted_;
  std::vector<Wanted> again_;
  std::optional<base::Error> failed_;
};

}  // namespace

Result<std::vector<BaselineMode>> ParseModes(
    const std::vector<std::string>& names) {
  std::vector<BaselineMode> modes;
  for (const std::string& name : names) {
    if (name == "all") return std::vector(std::begin(kAll), std::end(kAll));
    const auto mode = record::ParseBaselineMode(name);
    if (!mode)
      return base::Usage("baseline \"{}\": use {} or all", name,
                         record::BaselineModeNames());
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
