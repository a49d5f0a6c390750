#include "eval/decide.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <csignal>
#include <cstring>
#include <vector>

#include "base/text.h"
#include "profile/explain.h"
#include "record/outside.h"
#include "stats/summary.h"
#include "timing/estimate.h"
#include "timing/wall.h"

namespace kb::eval {
namespace {

using jail::JailExit;
using record::Judgement;
using record::Trial;
using record::Verdict;

// The line of a Python traceback that has the exception's type: the first one
// behind the last frame that is not indented. "" where there is no frame.
std::string_view ExceptionLine(std::string_view text) {
  const size_t frame = text.rfind("\n  File \"");
  if (frame == std::string_view::npos) return {};
  for (size_t at = frame + 1; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = text.substr(at, end - at);
    const std::string_view said = base::Trim(line);
    if (!said.empty() && said.front() == line.front()) return said;
    at = end + 1;
  }
  return {};
}

// Why, in the program's own words.
std::string ReasonIn(const std::string& text) {
  constexpr size_t kReasonBytes = 300;
  std::string_view line = ExceptionLine(text);
  if (line.empty()) line = base::LastLine(text);
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
      return exit.unstoppable
                 ? "kept processes at work that could not be stopped"
                 : "closed its connection to the oracle";
    case JailExit::Kind::kSetupFailed:
      return "could not be started: " + exit.detail;
    default:
      return "ended";
  }
}

// Nothing of the candidate's was in the process.
Decision DecideNotStarted(const JailExit& exit) {
  return {Verdict::kInfraError,
          fmt::format("before the candidate was loaded, its process {} ({})",
                      HowItEnded(exit), ReasonIn(base::Printable(exit.output))),
          Trimmed(base::Printable(exit.output))};
}

// Nobody can tell whether the candidate, the machine or a person sent it.
bool IsDoubtful(const Judgement& judgement, const JailExit& exit) {
  constexpr int kHostFailure = 70;  // says our host, or who imitates it
  if (exit.kind == JailExit::Kind::kSignaled)
    return exit.signal == SIGKILL || exit.signal == SIGTERM;
  return exit.kind == JailExit::Kind::kExited && exit.code == kHostFailure &&
         !judgement.loaded;
}

// The candidate's process is gone without a word of ours.
Decision DecideGone(const Judgement& judgement, const JailExit& exit,
                    const record::Policy& policy) {
  const std::string log = Trimmed(base::Printable(exit.output));
  switch (exit.kind) {
    case JailExit::Kind::kSetupFailed:
      return {Verdict::kInfraError,
              "the jail could not be built: " + exit.detail, log};
    case JailExit::Kind::kLost:
      return {Verdict::kInfraError, exit.detail, log};
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
  const bool doubtful = IsDoubtful(judgement, exit);
  if (!judgement.loaded)
    return {Verdict::kLoadError, "while loading, " + HowItEnded(exit), log,
            doubtful};
  return {Verdict::kRuntimeError,
          fmt::format("during {}, {}",
                      judgement.text.empty() ? "forward" : judgement.text,
                      HowItEnded(exit)),
          log, doubtful};
}

// Faster than what must be done can be (timing/floor.h).
bool BelowFloor(const record::Evaluation& evaluation) {
  return evaluation.candidate_time->median < evaluation.ruler->floor_us;
}

// Rounds differ in where memory lies. Where that makes a call faster or slower,
// another run may find another median. What a busy host adds says nothing, nor
// do the few microseconds of a reading, which short calls feel.
void NoteSpread(const char* side, double record::Trial::* micros,
                const record::Evaluation& evaluation,
                std::vector<std::string>* notes) {
  constexpr size_t kLeastRounds = 6;
  constexpr double kShare = 1.03;
  if (evaluation.device.device == "cpu" || !evaluation.ruler->gated ||
      evaluation.ruler->calls > 1)
    return;
  std::vector<double> rounds;
  for (const record::Trial& trial : evaluation.trials)
    if (trial.timed && trial.counts) rounds.push_back(trial.*micros);
  if (rounds.size() < kLeastRounds) return;
  const double low = stats::Quantile(rounds, 0.1);
  const double high = stats::Quantile(rounds, 0.9);
  if (high < kShare * low) return;
  notes->push_back(
      fmt::format("{} took {:.4g} to {:.4g} us from round to round: where its "
                  "memory lies may matter",
                  side, low, high));
}

// What a person should know of how the times came about, besides what the
// ruler's fields say.
void NoteHow(const record::Evaluation& evaluation,
             std::vector<std::string>* notes) {
  const record::Ruler& ruler = *evaluation.ruler;
  NoteSpread("the reference", &record::Trial::reference_us, evaluation, notes);
  NoteSpread("the candidate", &record::Trial::candidate_us, evaluation, notes);
  if (ruler.disturbed > 0)
    notes->push_back(fmt::format(
        "{} rounds were thrown away: somebody else worked on the device, or on "
        "the processor of the clock",
        ruler.disturbed));
  constexpr double kWaited = 0.05;
  if (std::max(ruler.reference_waited, ruler.candidate_waited) > kWaited)
    notes->push_back(fmt::format(
        "others had the processor for {:.0f} % of the reference's readings and "
        "{:.0f} % of the candidate's: the interval allows for that",
        100 * ruler.reference_waited, 100 * ruler.candidate_waited));
  if (timing::CountedShareOfReference(evaluation.trials, ruler) < 1)
    notes->push_back(fmt::format(
        "the reference took {:.4g} us once this process had gone; no more than "
        "{:.0f} % above that counts",
        ruler.control_us, 100 * timing::ShareAboveControl(ruler)));
}

// Why there is no word of what ran, if it has not said so itself.
std::string WhyNotKnown(const std::string& said, const Judgement& observed,
                        const JailExit& exit, const record::Policy& policy) {
  if (!said.empty()) return said;
  return "while it was observed: " + Decide(observed, exit, policy).reason;
}

void Withdraw(Verdict verdict, std::string reason,
              record::Evaluation* evaluation) {
  evaluation->verdict = verdict;
  evaluation->reason = std::move(reason);
  evaluation->speedup.reset();
  evaluation->wall_speedup.reset();
}

}  // namespace

void DecideProvenance(const Judgement& observed, const JailExit& exit,
                      record::Evaluation* evaluation) {
  const record::Policy& policy = evaluation->policy;
  const bool required = policy.provenance == record::ProvenanceRule::kRequired;
  evaluation->provenance = observed.provenance;
  if (!observed.provenance) {
    const std::string why =
        "what ran is not known: " +
        WhyNotKnown(observed.no_provenance, observed, exit, policy);
    if (!required)
      evaluation->notes.push_back(why);
    else
      Withdraw(
          observed.observer_failed ? Verdict::kInfraError : Verdict::kRejected,
          why, evaluation);
    return;
  }
  const double own = observed.provenance->own_share();
  if (!required || own >= policy.own_share) return;
  Withdraw(
      Verdict::kRejected,
      fmt::format("{:.3g} % of the time went to code of its own; policy {} "
                  "wants {:.3g} % ({})",
                  100 * own, policy.name, 100 * policy.own_share,
                  record::DescribeShares(*observed.provenance)),
      evaluation);
}

void DecideProfile(const Judgement& observed, const JailExit& exit,
                   const record::Problem& problem,
                   record::Evaluation* evaluation) {
  if (!observed.activity || !observed.yardstick) {
    evaluation->notes.push_back(
        "where its time goes is not known: " +
        WhyNotKnown(observed.no_activity, observed, exit, evaluation->policy));
    return;
  }
  profile::Grounds grounds;
  grounds.yardstick = *observed.yardstick;
  grounds.precision = evaluation->precision;
  grounds.bytes = static_cast<double>(grounds.yardstick.input_bytes +
                                      grounds.yardstick.weight_bytes +
                                      grounds.yardstick.output_bytes);
  if (problem.cost) grounds.flops = problem.cost->flops;
  if (evaluation->candidate_time)
    grounds.time_us = evaluation->candidate_time->median;
  if (evaluation->candidate_wall)
    grounds.wall_us = evaluation->candidate_wall->median;
  evaluation->profile = profile::Explain(*observed.activity, grounds);
}

void DecideSizes(record::Evaluation* evaluation) {
  if (!evaluation->outside || !evaluation->outside->shape_specialised()) return;
  std::string wrong;
  for (const record::Outside::Case& one : evaluation->outside->sizes)
    if (one.outcome == record::Outside::Outcome::kWrong)
      wrong += fmt::format("{}{} ({})", wrong.empty() ? "" : ", ", one.name,
                           one.reason);
  const std::string text =
      "shape_specialised: right at the size that is shown, wrong at " + wrong;
  if (evaluation->policy.hidden_sizes == record::HiddenSizes::kRequired)
    Withdraw(Verdict::kRejected, text, evaluation);
  else
    evaluation->notes.push_back(text);
}

std::string Trimmed(const std::string& text, size_t max_bytes) {
  return base::Shorten(base::Trim(text), max_bytes);
}

std::string WithPlace(const std::string& reason, const std::string& log,
                      const std::string& file_name) {
  const std::string mark = "/" + file_name + "\", line ";
  // What an exception was raised from comes first: of a kernel that Triton
  // interprets it has the line, and the exception that of the launch.
  const size_t cause = log.find("exception was the direct cause of the");
  size_t at = cause == std::string::npos ? cause : log.rfind(mark, cause);
  if (at == std::string::npos) at = log.rfind(mark);
  if (file_name.empty() || at == std::string::npos) return reason;
  const size_t start = at + mark.size();
  const size_t end =
      std::min(log.find_first_not_of("0123456789", start), log.size());
  if (end == start) return reason;
  return fmt::format("{} ({}:{})", reason, file_name,
                     log.substr(start, end - start));
}

std::string Describe(const record::Mismatch& mismatch) {
  constexpr size_t kReasonBytes = 300;  // a jail may have said it
  if (!mismatch.structure.empty())
    return base::ShortenLine(base::OneLine(mismatch.structure), kReasonBytes);
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
  constexpr auto kOwn = record::Distribution::kAsGiven;
  if (mismatch.inputs == record::DistributionName(kOwn))
    text += " on inputs as the problem draws them";
  else if (!mismatch.inputs.empty())
    text +=
        fmt::format(" on inputs of another distribution, {}", mismatch.inputs);
  return text;
}

Decision Decide(const Judgement& judgement, const JailExit& exit,
                const record::Policy& policy) {
  const std::string words = Trimmed(judgement.text);
  switch (judgement.status) {
    case Judgement::Status::kNotSet:
      return {Verdict::kInfraError,
              "the oracle did not say how the candidate did", words};
    case Judgement::Status::kOk:
      return {Verdict::kCorrect, "", ""};
    case Judgement::Status::kMismatch:
      return {Verdict::kIncorrect,
              judgement.mismatch ? Describe(*judgement.mismatch) : words, ""};
    case Judgement::Status::kLoadFailed:
      return {Verdict::kLoadError, ReasonIn(words), words};
    case Judgement::Status::kCallFailed:
      return {Verdict::kRuntimeError, ReasonIn(words), words};
    case Judgement::Status::kOutOfMemory:
      return {Verdict::kOutOfMemory, ReasonIn(words), words};
    case Judgement::Status::kTimeout:
      return {Verdict::kTimeout,
              fmt::format("no answer within {} s of {}", judgement.limit_s,
                          judgement.text),
              Trimmed(base::Printable(exit.output))};
    case Judgement::Status::kTampering:
      return {Verdict::kNotCertified, words, ""};
    case Judgement::Status::kNotStarted:
      return DecideNotStarted(exit);
    case Judgement::Status::kGone:
      break;
  }
  return DecideGone(judgement, exit, policy);
}

void ForgiveInterpreter(const record::Problem& problem,
                        record::Evaluation* evaluation) {
  const bool given = evaluation->precision == record::Precision::kAsGiven;
  const auto precision = given ? problem.given : evaluation->precision;
  if (!evaluation->interpreted || precision != record::Precision::kBf16 ||
      evaluation->verdict != Verdict::kIncorrect)
    return;
  evaluation->verdict.reset();
  evaluation->reason = fmt::format(
      "wrong in Triton's interpreter, which cannot compute in bfloat16: judge "
      "it on a GPU or in fp16 ({})",
      evaluation->reason);
}

Decision DecideTimes(record::Evaluation* evaluation) {
  const auto trials = evaluation->trials.size();
  Decision correct{Verdict::kCorrect,
                   fmt::format("all outputs agree in {} trials", trials), ""};
  if (evaluation->interpreted || !evaluation->ruler) return correct;
  if (std::ranges::none_of(evaluation->trials, [](const Trial& trial) {
        return trial.timed && trial.counts;
      })) {
    evaluation->notes.emplace_back(
        "no speedup: somebody else worked on the device, or on the processor "
        "of the clock, all the time");
    return correct;
  }
  const bool cuda = evaluation->device.device != "cpu";
  const record::Ruler& ruler = *evaluation->ruler;
  evaluation->reference_time = timing::ReferenceTime(evaluation->trials, ruler);
  evaluation->candidate_time = timing::CandidateTime(evaluation->trials, ruler);
  NoteHow(*evaluation, &evaluation->notes);
  if (BelowFloor(*evaluation))
    return {Verdict::kNotCertified,
            fmt::format("{:.4g} us a call is impossible: what every right "
                        "answer has to do takes this device {:.4g} us or more",
                        evaluation->candidate_time->median, ruler.floor_us),
            ""};
  evaluation->speedup = timing::Speedup(evaluation->trials, ruler, cuda);
  if (timing::KnownToBeBelow(evaluation->policy, evaluation->trials, ruler,
                             cuda))
    evaluation->notes.push_back(fmt::format(
        "timing ended as soon as the speedup was known to be below {:g} "
        "(stop_below), so it is known no better than its interval says",
        evaluation->policy.stop_below));
  // Launches are hidden on GPUs alone.
  if (!cuda) {
    evaluation->reference_wall = evaluation->reference_time;
    evaluation->candidate_wall = evaluation->candidate_time;
    evaluation->wall_speedup = evaluation->speedup;
  } else if (const auto wall = timing::WallOf(evaluation->trials)) {
    evaluation->reference_wall = wall->reference;
    evaluation->candidate_wall = wall->candidate;
    evaluation->wall_speedup = wall->speedup;
  }
  return correct;
}

}  // namespace kb::eval
