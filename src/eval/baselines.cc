#include "eval/baselines.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/text.h"
#include "compile_ahead.h"
#include "eval/decide.h"
#include "os/files.h"

namespace kb::eval {
namespace {

using base::Result;
using record::Baseline;
using record::BaselineMode;

constexpr BaselineMode kAll[] = {BaselineMode::kEager,
                                 BaselineMode::kCompile,
                                 BaselineMode::kReduceOverhead,
                                 BaselineMode::kMaxAutotune,
                                 BaselineMode::kMaxAutotuneNoCudagraphs,
                                 BaselineMode::kCudagraphs,
                                 BaselineMode::kFla};

// Seconds for a program whose kernels Triton compiles and tunes.
constexpr int64_t kFlaLimit = 600;

// As the host of Python models takes it (hosts/candidate_host.py).
const char* TorchMode(BaselineMode mode) {
  switch (mode) {
    case BaselineMode::kEager:
    case BaselineMode::kFla:
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

// Whether what PyTorch compiles for it is kept for other processes.
bool IsCompiled(BaselineMode mode) {
  return mode != BaselineMode::kEager && mode != BaselineMode::kFla &&
         mode != BaselineMode::kCudagraphs;
}

// A tuner that had the device together with others chose, and compile_seconds
// are those of a process that found it compiled.
constexpr char kAhead[] = "compiled beside others before";
constexpr char kKept[] = "what was compiled before was at hand";

// In what it differs from the reference.
const char* How(BaselineMode mode) {
  if (mode == BaselineMode::kEager) return "a second time";
  return mode == BaselineMode::kFla ? "in bfloat16" : "compiled";
}

// One baseline that is missing.
struct Wanted {
  record::Problem problem;
  BaselineMode mode;
  size_t place;  // in the list that was asked for
};

class Measuring : public Observer {
 public:
  Measuring(const BaselinePlan& plan, const compile::Compiler& compiler,
            const SessionOptions& session, BaselineObserver* observer,
            std::stop_token stop)
      : plan_(plan),
        compiler_(compiler),
        session_(session),
        observer_(observer),
        stop_(std::move(stop)) {
    std::error_code error;
    was_kept_ = !plan_.compiled.empty() &&
                !std::filesystem::is_empty(plan_.compiled, error) && !error;
  }

  Result<std::vector<Baseline>> Run(
      const std::vector<record::Problem>& problems) {
    for (const record::Problem& problem : problems)
      for (const BaselineMode mode : plan_.modes) {
        if (mode == BaselineMode::kFla &&
            (problem.fla.empty() || FlaVersion(compiler_).empty()))
          continue;
        const Baseline* known = Known(problem, mode);
        if (known == nullptr) wanted_.push_back({problem, mode, found_.size()});
        found_.push_back(known != nullptr ? std::optional(*known)
                                          : std::nullopt);
      }
    const std::stop_callback forward(stop_, [this] { ended_.request_stop(); });
    for (size_t next = 0; next < wanted_.size();) {
      const size_t end = EndOfGroup(next);
      auto measured = Measure(next, end);
      if (failed_) return base::Propagate(*failed_);
      KB_TRY(std::move(measured));
      next = end;
    }
    return Found();
  }

  void OnStep(size_t index, const std::string& step) override {
    const Wanted& wanted = wanted_.at(index);
    std::string said = step;
    if (wanted.mode == BaselineMode::kFla)
      said += fmt::format(
          "; at first Triton compiles and tunes the kernels of "
          "flash-linear-attention {}, for {} s at most",
          FlaVersion(compiler_), Limit(wanted.mode));
    observer_->OnStep(index, wanted_.size(), wanted.problem.id, wanted.mode,
                      said);
  }

  void OnDone(size_t index, const record::Evaluation& evaluation) override {
    const Wanted& wanted = wanted_.at(index);
    Baseline baseline = BaselineOf(wanted, evaluation);
    const std::string how = HowCompiled(index);
    if (baseline.time && !how.empty())
      baseline.reason += (baseline.reason.empty() ? "" : "; ") + how;
    if (evaluation.verdict == record::Verdict::kInfraError)
      observer_->OnFailed(index, wanted_.size(), baseline);
    else
      Keep(index, baseline);
  }

 private:
  // What is not usual in it; empty: alone, when its turn came.
  std::string HowCompiled(size_t index) const {
    if (ahead_.contains(index)) return kAhead;
    const bool kept = was_kept_ && IsCompiled(wanted_.at(index).mode);
    return kept ? kKept : "";
  }

  // Of those from `begin` on that are compiled beside each other; all, where
  // none are.
  size_t EndOfGroup(size_t begin) const {
    if (plan_.compile_ahead <= 1) return wanted_.size();
    std::set<std::string> problems;
    for (size_t i = begin; i < wanted_.size(); ++i) {
      if (!IsCompiled(wanted_[i].mode)) continue;
      problems.insert(wanted_[i].problem.id);
      if (problems.size() > plan_.compile_ahead * session_.lanes.size())
        return i;
    }
    return wanted_.size();
  }

  Result<void> Measure(size_t begin, size_t end) {
    TaskQueue queue;
    std::vector<std::pair<size_t, Task>> ahead;
    for (size_t i = begin; i < end; ++i) {
      const Task task = TaskOf(wanted_[i]);
      if (plan_.compile_ahead > 1 && IsCompiled(wanted_[i].mode))
        ahead.emplace_back(i, task);
      queue.Add(i, task);
    }
    queue.Close();
    SessionOptions session = session_;
    std::string compiled = plan_.compiled;
    std::optional<os::TempDir> folder;
    if (compiled.empty() && !ahead.empty()) {
      KB_ASSIGN(folder, os::TempDir::Create());
      compiled = folder->path();
    }
    for (lane::LaneOptions& lane : session.lanes) lane.compiled = compiled;
    if (!ahead.empty()) {
      ahead_ = CompileAhead(
          ahead, plan_.compile_ahead, compiler_, session,
          [this](size_t i, const std::string& step) { OnStep(i, step); },
          ended_.get_token());
    }
    return JudgeQueue(&queue, compiler_, session, this, ended_.get_token());
  }

  void Keep(size_t index, const Baseline& baseline) {
    const auto kept = observer_->OnMeasured(index, wanted_.size(), baseline);
    if (!kept && !failed_) {
      failed_ = kept.error();
      ended_.request_stop();
    }
    found_.at(wanted_.at(index).place) = baseline;
  }

  std::vector<Baseline> Found() const {
    std::vector<Baseline> all;
    for (const std::optional<Baseline>& found : found_)
      if (found) all.push_back(*found);
    return all;
  }

  Task TaskOf(const Wanted& wanted) const {
    const record::Precision precision = wanted.problem.In(plan_.precision);
    record::Policy policy = wanted.problem.Adjusted(plan_.policy, precision);
    policy.public_trials = std::max<int64_t>(policy.public_trials, 1);
    const auto limit = static_cast<double>(Limit(wanted.mode));
    policy.hidden_sizes = record::HiddenSizes::kOff;
    policy.distributions = false;
    // What depends on the data (v3/level4/2) is compiled in later calls as
    // well.
    policy.load_seconds = policy.call_seconds = limit;
    policy.wall_seconds = 2 * limit;
    Task task = ReferenceTask(wanted.problem, precision, policy,
                              TorchMode(wanted.mode));
    task.baseline = true;
    if (wanted.mode == BaselineMode::kFla) {
      task.candidate.name = "reference_fla.py";
      task.candidate.source += "\n\n" + wanted.problem.fla;
      // Each would compile and tune anew.
      task.policy.processes = 1;
    }
    return task;
  }

  int64_t Limit(BaselineMode mode) const {
    return mode == BaselineMode::kFla ? std::min(plan_.limit, kFlaLimit)
                                      : plan_.limit;
  }

  // Of this machine and by today's ruler.
  const Baseline* Known(const record::Problem& problem,
                        BaselineMode mode) const {
    const std::string hash = problem.Hash();
    const auto found =
        std::ranges::find_if(plan_.known, [&](const Baseline& b) {
          return b.problem_hash == hash && b.mode == mode &&
                 b.ruler == record::kRulerVersion && b.size == problem.size &&
                 b.precision == problem.In(plan_.precision) &&
                 HasTf32Of(b, problem, plan_.policy) && IsHere(b.device);
        });
    return found == plan_.known.end() ? nullptr : &*found;
  }

  bool IsHere(const record::DeviceFacts& device) const {
    const auto& python = compiler_.toolchain().python.tool;
    return python && std::ranges::any_of(session_.lanes, [&](const auto& lane) {
             return IsLike(device, lane.device, *python);
           });
  }

  // What goes wrong, or a remark.
  std::string ReasonOf(const Wanted& wanted,
                       const record::Evaluation& evaluation) const {
    std::string reason = evaluation.reason;
    if (evaluation.candidate_time) reason = RemarksOn(evaluation);
    if (evaluation.mismatch && evaluation.verdict == record::Verdict::kCorrect)
      reason = fmt::format("{}, {}{}{}", How(wanted.mode),
                           Describe(*evaluation.mismatch),
                           reason.empty() ? "" : "; ", reason);
    reason = base::Shorten(base::Printable(reason), 500);
    if (wanted.mode != BaselineMode::kFla) return reason;
    return "flash-linear-attention " + FlaVersion(compiler_) +
           (reason.empty() ? "" : ": ") + reason;
  }

  Baseline BaselineOf(const Wanted& wanted,
                      const record::Evaluation& evaluation) const {
    Baseline baseline;
    baseline.problem_id = wanted.problem.id;
    baseline.problem_hash = wanted.problem.Hash();
    baseline.size = wanted.problem.size;
    baseline.precision = wanted.problem.In(plan_.precision);
    baseline.mode = wanted.mode;
    baseline.device = evaluation.device;
    baseline.measured_at = base::UtcNow();
    baseline.time = evaluation.candidate_time;
    if (wanted.mode != BaselineMode::kEager) {
      baseline.eager = evaluation.reference_time;
      baseline.speedup = evaluation.speedup;
    }
    baseline.reason = ReasonOf(wanted, evaluation);
    if (!evaluation.ruler) return baseline;
    baseline.tf32 = evaluation.ruler->tf32;
    baseline.compile_seconds = evaluation.ruler->first_us / 1e6;
    return baseline;
  }

  const BaselinePlan& plan_;
  const compile::Compiler& compiler_;
  const SessionOptions& session_;
  BaselineObserver* observer_;
  std::stop_token stop_;
  std::vector<std::optional<Baseline>> found_;
  std::vector<Wanted> wanted_;
  std::set<size_t> ahead_;  // of wanted_, who was compiled ahead
  bool was_kept_ = false;   // plan_.compiled held something at the start
  std::optional<base::Error> failed_;
  std::stop_source ended_;  // by stop_, or when one cannot be kept
};

}  // namespace

std::string FlaVersion(const compile::Compiler& compiler) {
  const auto& python = compiler.toolchain().python.tool;
  return python ? python->fla_version : "";
}

std::string RemarksOn(const record::Evaluation& evaluation) {
  if (!evaluation.ruler) return "";
  const record::Ruler& ruler = *evaluation.ruler;
  std::vector<std::string> remarks;
  if (ruler.copied)
    remarks.push_back(fmt::format(
        "outputs were copied within the time, {:.1f} us of it, on both sides",
        ruler.copy_us));
  const bool own = !AreHidden(ruler.candidate_launches);
  const bool eager = !AreHidden(ruler.reference_launches);
  if (evaluation.device.device != "cpu" && (own || eager))
    remarks.push_back(fmt::format("launches show in the time, {}",
                                  own && eager ? "on both sides"
                                  : own        ? "those of eager mode do not"
                                               : "of eager mode alone"));
  return fmt::format("{}", fmt::join(remarks, "; "));
}

bool IsLike(const record::DeviceFacts& measured, const std::string& device,
            const compile::Python& python) {
  if (measured.torch != python.torch_version) return false;
  if (device == "cpu") return measured.device == "cpu";
  // A stored one ends with CUDA's version: "580.159.04 (CUDA 13.0)".
  if (!measured.driver.starts_with(python.driver)) return false;
  return std::ranges::any_of(python.cuda_devices, [&](const auto& d) {
    return device == d.TorchName() && measured.name == d.name;
  });
}

bool HasTf32Of(const Baseline& measured, const record::Problem& problem,
               const record::Policy& policy) {
  // What nothing was timed of has none.
  if (measured.tf32.empty()) return true;
  switch (policy.precision) {
    case record::PrecisionRule::kIeee:
      return measured.tf32 == "none";
    case record::PrecisionRule::kTf32:
      return measured.tf32 == "cudnn+matmul";
    case record::PrecisionRule::kAsReference:
      break;
  }
  for (const char* setting : {"tf32", "matmul_precision", "fp32_precision"})
    if (problem.source.find(setting) != std::string::npos) return true;
  return measured.tf32 == "cudnn";  // PyTorch's default
}

Result<std::vector<BaselineMode>> ParseBaselineModes(
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

Result<std::vector<Baseline>> MeasureBaselines(
    const std::vector<record::Problem>& problems, const BaselinePlan& plan,
    const compile::Compiler& compiler, const SessionOptions& session,
    BaselineObserver* observer, const std::stop_token& stop) {
  return Measuring(plan, compiler, session, observer, stop).Run(problems);
}

}  // namespace kb::eval
