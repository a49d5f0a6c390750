#include "page_data.h"

#include <fmt/format.h>

#include <cmath>

#include "base/text.h"
#include "display/format.h"
#include "display/highlight.h"
#include "display/html.h"
#include "display/text.h"

namespace kb::report {
namespace {

using display::DataList;
using record::Evaluation;
using record::Verdict;

constexpr const char* kMicro = "\u00b5s";

// A page has to open in a browser: what a candidate wrote is cut in the middle.
constexpr size_t kMaxLog = 64 << 10;  // bytes
constexpr size_t kMaxSource = 512 << 10;
constexpr size_t kMaxReason = 2 << 10;

std::string Time(double us) { return display::FormatTime(us, kMicro); }

// For tables in microseconds.
std::string Micros(double us) { return fmt::format("{:.3f}", us); }

std::string Bytes(size_t bytes) {
  if (bytes < 1024) return fmt::format("{} bytes", bytes);
  if (bytes < 1024 * 1024) return fmt::format("{:.1f} KiB", bytes / 1024.0);
  return fmt::format("{:.1f} MiB", bytes / 1048576.0);
}

// What a list shows as sorted: a number or nothing.
std::string Key(bool present, double value) {
  return present && std::isfinite(value) ? display::Number(value) : "";
}

std::string WrittenIn(const record::Candidate& candidate) {
  return fmt::format("{}, {}", record::TrackName(candidate.track),
                     record::BackendName(candidate.backend));
}

std::string WhyNoSpeedup(const Evaluation& evaluation) {
  return evaluation.interpreted && evaluation.verdict ? "interpreted"
                                                      : "\u2013";
}

void SetRow(const Evaluation& e, size_t index, const SpeedupAxis& axis,
            Data* data) {
  data->set("id", fmt::format("c{}", index + 1));
  data->set("problem", display::VisibleLine(e.problem_id));
  data->set("setting", fmt::format("{}, {}", record::SizeName(e.size),
                                   record::PrecisionName(e.precision)));
  data->set("candidate", display::VisibleLine(e.candidate.name));
  data->set("backend", WrittenIn(e.candidate));
  data->set("verdict", display::FormatVerdict(e));
  data->set("kind", display::VerdictKind(e.verdict));
  const std::string reason =
      display::Visible(base::Shorten(e.reason, kMaxReason));
  data->set("reason", reason);
  data->set("has_reason", !reason.empty());

  const bool has_speedup = e.speedup.has_value();
  const record::Interval speedup = e.speedup.value_or(record::Interval());
  const std::string text = display::FormatSpeedup(speedup);
  const size_t space = text.find(' ');
  data->set("has_speedup", has_speedup);
  data->set("bar", has_speedup ? SpeedupSvg(speedup, axis) : "");
  data->set("ratio", has_speedup ? text.substr(0, space) : "");
  data->set("interval", has_speedup ? text.substr(space + 1) : "");
  data->set("no_speedup", WhyNoSpeedup(e));
  data->set("blank_speed", !has_speedup && !e.interpreted);
  data->set("speedup_key", Key(has_speedup, speedup.estimate));

  for (const auto& [name, time] : {std::pair("candidate", &e.candidate_time),
                                   std::pair("reference", &e.reference_time)}) {
    const double median = time->has_value() ? (*time)->median : 0;
    data->set(fmt::format("{}_time", name),
              time->has_value() ? Time(median) : "\u2013");
    data->set(fmt::format("{}_blank", name), !time->has_value());
    data->set(fmt::format("{}_key", name), Key(time->has_value(), median));
  }
}

// --- What differs ---

Data Position(const char* which, const record::Mismatch::Position& position) {
  Data data;
  data.set("which", which);
  data.set("index", display::IndexOf(position));
  data.set("expected", display::Number(position.expected));
  data.set("actual", display::Number(position.actual));
  return data;
}

void SetMismatch(const Evaluation& e, Data* data) {
  data->set("has_mismatch", e.mismatch.has_value());
  if (!e.mismatch) return;
  const record::Mismatch& m = *e.mismatch;
  data->set("mismatch_summary", display::MismatchSummary(m));
  DataList positions;
  if (m.first) positions.push_back(Position("first", *m.first));
  if (m.worst) positions.push_back(Position("worst", *m.worst));
  data->set("has_positions", !positions.empty());
  data->set("positions", Data(positions));

  data->set("mismatch", ToData(display::MismatchFacts(e)));
}

// --- Remarks ---

void SetRemarks(const Evaluation& e, Data* data) {
  struct Group {
    const char* heading;
    const char* kind;
    const std::vector<std::string>* texts;
  };
  DataList groups;
  for (const Group& group : {Group{"Also seen", "notes", &e.notes},
                             Group{"Checked", "checked good", &e.checked},
                             Group{"Not checked", "unchecked", &e.unchecked}}) {
    if (group.texts->empty()) continue;
    DataList items;
    for (const std::string& text : *group.texts)
      items.push_back(
          Data("text", display::VisibleLine(base::Shorten(text, kMaxReason))));
    Data data_of_group;
    data_of_group.set("heading", group.heading);
    data_of_group.set("kind", group.kind);
    data_of_group.set("items", Data(items));
    groups.push_back(data_of_group);
  }
  data->set("has_remarks", !groups.empty());
  data->set("remarks", Data(groups));
}

// --- Trials and times ---

std::string PlotCaption(const Evaluation& e) {
  int64_t timed = 0;
  int64_t counted = 0;
  for (const record::Trial& trial : e.trials) {
    timed += trial.timed ? 1 : 0;
    counted += trial.timed && trial.in_band ? 1 : 0;
  }
  const auto untimed = static_cast<int64_t>(e.trials.size()) - timed;
  std::string caption =
      fmt::format("{} of {} timed trials count.", display::FormatCount(counted),
                  display::FormatCount(timed));
  if (untimed > 0)
    caption +=
        fmt::format(" Before them {} untimed {} compared on public seeds.",
                    display::FormatCount(untimed),
                    untimed == 1 ? "trial was" : "trials were");
  return caption;
}

Data TrialData(const record::Trial& trial, size_t index) {
  const auto us = [&](double value) {
    return trial.timed ? Micros(value) : std::string("\u2013");
  };
  Data data;
  data.set("number", std::to_string(index + 1));
  data.set("seed", std::to_string(trial.seed));
  data.set("timed", trial.timed ? "timed" : "untimed");
  data.set("counts", !trial.timed ? "\u2013" : trial.in_band ? "yes" : "no");
  data.set("reference", us(trial.reference_us));
  data.set("claimed", us(trial.claimed_us));
  data.set("certified", us(trial.certified_us));
  data.set("overhead", us(trial.overhead_us));
  data.set("stage", us(trial.stage_us));
  data.set("settle", us(trial.settle_us));
  return data;
}

void SetTrials(const Evaluation& e, Data* data) {
  const std::string plot = TrialsSvg(e);
  data->set("has_plot", !plot.empty());
  data->set("plot", plot);
  data->set("plot_caption", PlotCaption(e));
  DataList trials;
  for (size_t i = 0; i < e.trials.size(); ++i)
    trials.push_back(TrialData(e.trials[i], i));
  data->set("has_trials", !trials.empty());
  data->set("trial_count", fmt::format("{} trials", trials.size()));
  data->set("trials", Data(trials));
}

void SetTimes(const Evaluation& e, Data* data) {
  DataList times;
  for (const auto& [side, summary] :
       {std::pair("candidate", &e.candidate_time),
        std::pair("PyTorch, eager", &e.reference_time)}) {
    if (!*summary) continue;
    const record::TimeSummary& s = **summary;
    Data row;
    row.set("side", side);
    row.set("median", Micros(s.median));
    row.set("mean", Micros(s.mean));
    row.set("stddev", Micros(s.stddev));
    row.set("min", Micros(s.min));
    row.set("q25", Micros(s.q25));
    row.set("q75", Micros(s.q75));
    row.set("max", Micros(s.max));
    row.set("trials", display::FormatCount(s.count));
    times.push_back(row);
  }
  data->set("has_times", !times.empty());
  data->set("times", Data(times));
}

void SetCalibration(const Evaluation& e, Data* data) {
  data->set("has_calibration", e.calibration.has_value());
  if (!e.calibration) return;
  data->set("calibration", ToData(display::CalibrationFacts(*e.calibration)));
}

// --- Texts ---

void SetTexts(const Evaluation& e, Data* data) {
  data->set("has_log", !e.log.empty());
  data->set("log", display::Visible(base::Shorten(e.log, kMaxLog)));
  data->set("log_size", Bytes(e.log.size()));
  data->set("log_open", e.verdict && *e.verdict != Verdict::kCorrect &&
                            e.log.size() < 4096);
  const record::Candidate& candidate = e.candidate;
  data->set("source_size", Bytes(candidate.source.size()));
  data->set(
      "source",
      display::HighlightHtml(
          display::Visible(base::Shorten(candidate.source, kMaxSource)),
          candidate.track == record::Track::kPython ? display::Language::kPython
                                                    : display::Language::kCpp));
}

}  // namespace

Data ToData(const display::FactList& facts) {
  DataList items;
  for (const auto& [name, value] : facts) {
    Data fact;
    fact.set("name", name);
    fact.set("value", value);
    items.push_back(fact);
  }
  return Data(items);
}

Data CandidateData(const Evaluation& evaluation, size_t index,
                   const SpeedupAxis& axis) {
  Data data;
  SetRow(evaluation, index, axis, &data);
  SetMismatch(evaluation, &data);
  SetRemarks(evaluation, &data);
  SetTrials(evaluation, &data);
  SetTimes(evaluation, &data);
  SetCalibration(evaluation, &data);
  data.set("facts", ToData(display::JudgingFacts(evaluation)));
  SetTexts(evaluation, &data);
  return data;
}

}  // namespace kb::report
