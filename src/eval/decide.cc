#include "eval/decide.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <csignal>
#include <cstring>
#include <vector>

#include "base/text.h"
#include "stats/bootstrap.h"
#include "stats/summary.h"

namespace kb::eval {
namespace {

using jail::JailExit;
using record::Judgement;
using record::Trial;
using record::Verdict;

// Why, in the program's own words.
std::string LastLineOf(const std::string& text) {
  constexpr size_t kReasonBytes = 300;
  const std::string_view line = base::LastLine(text);
  return line.empty() ? "no message"
                      : std::string(line.substr(0, kReasonBytes));
}

std::string HowItEnded(const JailExit& exit) {
  switch (exit.kind) {
    case JailExit::Kind::kExited:
      return fmt::format("ended the process with exit code {}", exit.code);
    case JailExit::Kind::kSignaled:
      return fmt::format("was killed by signal {} ({})", exit.signal,
                         strsignal(exit.signal));
    case JailExit::Kind::kKilled:
      return "closed its connection to the oracle";
    default:
      return "ended";
  }
}

// The candidate's process is gone without a word of ours.
Decision DecideGone(const Judgement& judgement, const JailExit& exit,
                    const record::Policy& policy) {
  constexpr int kHostFailure = 70;  // the host itself gave up: our fault
  const std::string log = Trimmed(base::Printable(exit.output));
  switch (exit.kind) {
    case JailExit::Kind::kSetupFailed:
      return {Verdict::kInfraError,
              "the jail could not be built: " + exit.detail, log};
    case JailExit::Kind::kTimedOut:
      return {Verdict::kTimeout,
              fmt::format("ran longer than {} s in all", policy.wall_seconds),
              log};
    case JailExit::Kind::kOutOfMemory:
      return {Verdict::kOutOfMemory,
              fmt::format("used more than {} MiB of memory",
                          policy.memory_bytes >> 20),
              log};
    default:
      break;
  }
  if (exit.kind == JailExit::Kind::kExited && exit.code == kHostFailure)
    return {Verdict::kInfraError, LastLineOf(exit.output), log};
  if (!judgement.loaded)
    return {Verdict::kLoadError, "while loading, " + HowItEnded(exit), log};
  return {Verdict::kRuntimeError,
          fmt::format("during {}, {}",
                      judgement.text.empty() ? "forward" : judgement.text,
                      HowItEnded(exit)),
          log};
}

std::vector<Trial> Counted(const std::vector<Trial>& trials) {
  std::vector<Trial> counted;
  for (const Trial& trial : trials)
    if (trial.timed && trial.in_band) counted.push_back(trial);
  return counted;
}

record::TimeSummary Summary(std::vector<double> values) {
  const stats::Summary s = stats::Summarize(std::move(values));
  return {s.count, s.median, s.mean, s.stddev, s.min, s.max, s.q25, s.q75};
}

// The time that a trial is worth. A candidate whose claims lie a little below
// the certified clock, inside the band, gains nothing: the systematic part of
// the difference is added.
double WorthMicros(const Trial& trial, double systematic_us) {
  return trial.claimed_us + systematic_us;
}

// What the counted trials' overhead has in common, above what calibration
// leaves open. Honest kernels have a few microseconds of either sign.
double SystematicMicros(const std::vector<Trial>& counted) {
  std::vector<double> overheads;
  for (const Trial& trial : counted) overheads.push_back(trial.overhead_us);
  return std::max(0.0, stats::Median(overheads));
}

Decision NotCertified(const std::vector<Trial>& timed, size_t counted) {
  std::vector<double> claimed, certified;
  for (const Trial& trial : timed) {
    claimed.push_back(trial.claimed_us);
    certified.push_back(trial.certified_us);
  }
  return {Verdict::kNotCertified,
          fmt::format("the clocks agree in {} of {} trials: claimed {:.1f} us, "
                      "certified {:.1f} us (medians)",
                      counted, timed.size(), stats::Median(claimed),
                      stats::Median(certified)),
          ""};
}

}  // namespace

std::string Trimmed(const std::string& text, size_t max_bytes) {
  return base::Shorten(base::Trim(text), max_bytes);
}

std::string Describe(const record::Mismatch& mismatch) {
  if (!mismatch.structure.empty()) return mismatch.structure;
  std::string text =
      fmt::format("{} of {} elements of output {} are wrong", mismatch.wrong,
                  mismatch.elements, mismatch.output);
  const std::string& pattern = mismatch.pattern;
  // Most patterns begin with the count themselves.
  const bool counts =
      !pattern.empty() && pattern.front() >= '0' && pattern.front() <= '9';
  if (counts)
    text = fmt::format("output {}: {}", mismatch.output, pattern);
  else if (!pattern.empty())
    text += ": " + pattern;
  if (mismatch.worst)
    text += fmt::format(" (worst at [{}]: {:.6g}, expected {:.6g})",
                        fmt::join(mismatch.worst->index, ", "),
                        mismatch.worst->actual, mismatch.worst->expected);
  return text;
}

Decision Decide(const Judgement& judgement, const JailExit& exit,
                const record::Policy& policy) {
  const std::string words = Trimmed(judgement.text);
  switch (judgement.status) {
    case Judgement::Status::kOk:
      return {Verdict::kCorrect, "", ""};
    case Judgement::Status::kMismatch:
      return {Verdict::kIncorrect,
              judgement.mismatch ? Describe(*judgement.mismatch) : words, ""};
    case Judgement::Status::kLoadFailed:
      return {Verdict::kLoadError, LastLineOf(words), words};
    case Judgement::Status::kCallFailed:
      return {Verdict::kRuntimeError, LastLineOf(words), words};
    case Judgement::Status::kOutOfMemory:
      return {Verdict::kOutOfMemory, LastLineOf(words), words};
    case Judgement::Status::kTimeout:
      return {Verdict::kTimeout,
              fmt::format(
                  "no answer within {} s of {}",
                  judgement.loaded ? policy.call_seconds : policy.load_seconds,
                  judgement.text),
              Trimmed(base::Printable(exit.output))};
    case Judgement::Status::kTampering:
      return {Verdict::kNotCertified, words, ""};
    case Judgement::Status::kGone:
      break;
  }
  return DecideGone(judgement, exit, policy);
}

Decision DecideTimes(record::Evaluation* evaluation) {
  std::vector<Trial> timed;
  for (const Trial& trial : evaluation->trials)
    if (trial.timed) timed.push_back(trial);
  const std::vector<Trial> counted = Counted(evaluation->trials);
  const auto trials = evaluation->trials.size();
  if (evaluation->interpreted || timed.empty())
    return {Verdict::kCorrect,
            fmt::format("all outputs agree in {} trials", trials), ""};
  if (2 * counted.size() < timed.size() || counted.empty())
    return NotCertified(timed, counted.size());

  // On cpu the difference is the scheduler's, not the candidate's.
  const double systematic =
      evaluation->device.device == "cpu" ? 0 : SystematicMicros(counted);
  std::vector<double> reference, candidate;
  std::vector<stats::Pair> pairs;
  for (const Trial& trial : counted) {
    reference.push_back(trial.reference_us);
    candidate.push_back(WorthMicros(trial, systematic));
    pairs.push_back({reference.back(), candidate.back()});
  }
  evaluation->reference_time = Summary(reference);
  evaluation->candidate_time = Summary(candidate);
  constexpr uint64_t kBootstrapSeed = 1;  // the same interval every time
  const stats::Interval ratio = stats::RatioOfMedians(pairs, kBootstrapSeed);
  evaluation->speedup = {ratio.estimate, ratio.low, ratio.high};
  return {Verdict::kCorrect,
          fmt::format("all outputs agree in {} trials, {} of {} timed ones "
                      "certified",
                      trials, counted.size(), timed.size()),
          ""};
}

}  // namespace kb::eval
