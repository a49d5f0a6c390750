#include "baseline.h"

#include <fmt/format.h>

#include "base/random.h"
#include "base/text.h"
#include "stats/summary.h"
#include "timing/stopping.h"
#include "wire/poll.h"

namespace kb::oracle {
namespace {

using base::Result;
using record::BaselineMode;
using record::BaselineTimes;

// As torch.compile calls it.
const char* TorchMode(BaselineMode mode) {
  switch (mode) {
    case BaselineMode::kEager:
      return "eager";
    case BaselineMode::kCompile:
      return "default";
    case BaselineMode::kMaxAutotune:
      return "max-autotune-no-cudagraphs";
  }
  return "";
}

record::TimeSummary Summary(std::vector<double> values) {
  const stats::Summary s = stats::Summarize(std::move(values));
  return {s.count, s.median, s.mean, s.stddev, s.min, s.max, s.q25, s.q75};
}

double SecondsSince(int64_t start) {
  return static_cast<double>(wire::NowNanos() - start) / 1e9;
}

class Measurement {
 public:
  Measurement(Bench bench, const record::Policy& policy,
              record::Tolerance tolerance, BaselineMode mode)
      : bench_(bench),
        policy_(policy),
        mode_(mode),
        exam_(bench, policy, tolerance) {}

  Result<BaselineTimes> Run(
      const std::function<void(int64_t, int64_t)>& progress) {
    BaselineTimes times;
    times.mode = mode_;
    const auto prepared = bench_.reference->Prepare(TorchMode(mode_));
    if (!prepared) {
      times.reason = LineOf(prepared.error());
      return times;
    }
    times.tf32 = prepared->tf32;
    times.compile_seconds = prepared->seconds;
    // The first calls pay for lazy loading, and for other shapes' compilation.
    constexpr int kWarmUp = 3;
    for (int i = 0; i < kWarmUp; ++i) {
      KB_ASSIGN(const bool works, RunTrial(&times));
      if (!works) return times;
    }
    eager_.clear();
    other_.clear();
    KB_TRY(RunTrials(&times, progress));
    if (other_.empty()) return times;
    times.time = Summary(other_);
    if (compiled()) times.eager = Summary(eager_);
    return times;
  }

 private:
  bool compiled() const { return mode_ != BaselineMode::kEager; }

  static std::string LineOf(const base::Error& error) {
    return base::Shorten(base::LastLine(base::Printable(error.message())), 500);
  }

  Result<void> RunTrials(
      BaselineTimes* times,
      const std::function<void(int64_t, int64_t)>& progress) {
    timing::StoppingRule rule(policy_);
    const int64_t start = wire::NowNanos();
    int64_t done = 0;
    while (!rule.Done(SecondsSince(start))) {
      KB_ASSIGN(const bool works, RunTrial(times));
      if (!works) {
        other_.clear();
        break;
      }
      rule.AddTrial();
      rule.AddCounted(other_.back());
      progress(++done, policy_.max_timed_trials);
    }
    return base::Ok();
  }

  // False: the mode does not work, and `times` says why.
  Result<bool> RunTrial(BaselineTimes* times) {
    KB_ASSIGN(const double eager, exam_.Set(base::SecretSeed(), true));
    eager_.push_back(eager);
    if (!compiled()) {
      other_.push_back(eager);
      return true;
    }
    KB_TRY(bench_.kernels->EvictCache());
    KB_TRY(bench_.device->Synchronize());
    const auto run = bench_.reference->ForwardPrepared(exam_.generator_seed());
    if (!run) {
      times->reason = LineOf(run.error());
      return false;
    }
    other_.push_back(run->device_us);
    if (times->reason.empty()) {
      KB_ASSIGN(times->reason, Difference(run->outputs));
    }
    return true;
  }

  // What is to be said of outputs that are not eager's, in one line.
  Result<std::string> Difference(const std::vector<TensorView>& outputs) {
    if (outputs.size() != exam_.specs().size())
      return fmt::format("compiled, it returns {} tensors, not {}",
                         outputs.size(), exam_.specs().size());
    Exam::Answer answer;
    answer.poison_seed = base::SecretSeed();
    for (size_t i = 0; i < outputs.size(); ++i) {
      if (outputs[i].spec != exam_.specs()[i])
        return fmt::format("compiled, its output {} has another type", i);
      answer.outputs.push_back(outputs[i].data);
    }
    std::vector<std::string> notes;
    KB_ASSIGN(const auto mismatch, exam_.Check(answer, &notes));
    if (!mismatch) return std::string();
    return fmt::format(
        "compiled, {} of {} elements of output {} differ from eager's beyond "
        "the tolerance (by {:.3g} at most)",
        mismatch->wrong, mismatch->elements, mismatch->output,
        mismatch->max_abs_error);
  }

  Bench bench_;
  record::Policy policy_;
  BaselineMode mode_;
  Exam exam_;
  std::vector<double> eager_;
  std::vector<double> other_;
};

}  // namespace

Result<BaselineTimes> MeasureBaseline(
    const Bench& bench, const record::Policy& policy,
    record::Tolerance tolerance, BaselineMode mode,
    const std::function<void(int64_t, int64_t)>& progress) {
  return Measurement(bench, policy, tolerance, mode).Run(progress);
}

}  // namespace kb::oracle
