#include "page_data.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "base/text.h"
#include "html/format.h"
#include "html/highlight.h"
#include "html/html.h"
#include "html/text.h"

namespace kb::report {
namespace {

using html::DataList;
using record::Evaluation;
using record::Verdict;

// A page has to open in a browser: what a candidate wrote is cut in the middle.
constexpr size_t kMaxLog = 64 << 10;  // bytes
constexpr size_t kMaxSource = 512 << 10;

std::string Time(double us) { return html::FormatTime(us, html::kMicro); }

// For tables whose heads name the unit.
std::string Thousandths(double value) { return fmt::format("{:.3f}", value); }

std::string Bytes(size_t bytes) {
  if (bytes < 1024) return fmt::format("{} bytes", bytes);
  if (bytes < 1024 * 1024) return fmt::format("{:.1f} KiB", bytes / 1024.0);
  return fmt::format("{:.1f} MiB", bytes / 1048576.0);
}

// What a list shows as sorted: a number or nothing.
std::string Key(bool present, double value) {
  return present && std::isfinite(value) ? html::Number(value) : "";
}

std::string WrittenIn(const record::Candidate& candidate) {
  return fmt::format("{}, {}", record::TrackName(candidate.track),
                     record::BackendName(candidate.backend));
}

std::string WhyNoSpeedup(const Evaluation& evaluation) {
  return evaluation.interpreted && evaluation.verdict ? "interpreted"
                                                      : "\u2013";
}

// "wall 12.3 us", small beside the device time.
std::string Wall(const std::string& text) { return "wall " + text; }

void SetTime(const std::string& side,
             const std::optional<record::TimeSummary>& time,
             const std::optional<record::TimeSummary>& wall, Data* data) {
  const double median = time ? time->median : 0;
  data->set(side + "_time", time ? Time(median) : "\u2013");
  data->set(side + "_blank", !time.has_value());
  data->set(side + "_key", Key(time.has_value(), median));
  data->set(side + "_wall", wall ? Wall(Time(wall->median)) : "");
}

void SetRow(const Evaluation& e, const std::string& id, const SpeedupAxis& axis,
            Data* data) {
  data->set("id", id);
  data->set("problem", html::VisibleLine(e.problem_id));
  data->set("setting", fmt::format("{}, {}", record::SizeName(e.size),
                                   record::PrecisionName(e.precision)));
  data->set("candidate", html::VisibleLine(e.candidate.name));
  data->set("backend", WrittenIn(e.candidate));
  data->set("verdict", html::FormatVerdict(e));
  data->set("kind", html::VerdictKind(e.verdict));
  const std::string reason =
      html::Visible(base::Shorten(e.reason, html::kMaxReason));
  data->set("reason", reason);
  data->set("has_reason", !reason.empty());
  // The list gives a reason where one is due: every correct one has the same.
  data->set("row_reason", e.verdict == Verdict::kCorrect ? "" : reason);
  data->set("blank_reason", e.verdict == Verdict::kCorrect || reason.empty());

  const bool has_speedup = e.speedup.has_value();
  const record::Interval speedup = e.speedup.value_or(record::Interval());
  const std::string text = html::FormatSpeedup(speedup);
  const size_t space = text.find(' ');
  data->set("has_speedup", has_speedup);
  data->set("bar", has_speedup ? SpeedupSvg(speedup, axis) : "");
  data->set("ratio", has_speedup ? text.substr(0, space) : "");
  data->set("interval", has_speedup ? text.substr(space + 1) : "");
  data->set("no_speedup", WhyNoSpeedup(e));
  data->set("blank_speed", !has_speedup && !e.interpreted);
  data->set("speedup_key", Key(has_speedup, speedup.estimate));

  data->set("has_wall", e.candidate_wall && e.reference_wall);
  data->set("has_wall_speedup", e.wall_speedup.has_value());
  if (e.wall_speedup)
    data->set("wall_speedup", Wall(html::FormatSpeedup(*e.wall_speedup)));
  SetTime("candidate", e.candidate_time, e.candidate_wall, data);
  SetTime("reference", e.reference_time, e.reference_wall, data);
}

// --- What differs ---

Data Position(const char* which, const record::Mismatch::Position& position) {
  Data data;
  data.set("which", which);
  data.set("index", html::IndexOf(position));
  data.set("expected", html::Number(position.expected));
  data.set("actual", html::Number(position.actual));
  return data;
}

void SetMismatch(const Evaluation& e, Data* data) {
  data->set("has_mismatch", e.mismatch.has_value());
  if (!e.mismatch) return;
  const record::Mismatch& m = *e.mismatch;
  data->set("mismatch_summary", html::MismatchSummary(m));
  DataList positions;
  if (m.first) positions.push_back(Position("first", *m.first));
  if (m.worst) positions.push_back(Position("worst", *m.worst));
  data->set("has_positions", !positions.empty());
  data->set("positions", Data(positions));

  data->set("mismatch", ToData(html::MismatchFacts(e)));
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
      items.push_back(Data(
          "text", html::VisibleLine(base::Shorten(text, html::kMaxReason))));
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
    counted += trial.timed && trial.counts ? 1 : 0;
  }
  const auto untimed = static_cast<int64_t>(e.trials.size()) - timed;
  std::string caption =
      fmt::format("{} of {} timed trials count.", html::FormatCount(counted),
                  html::FormatCount(timed));
  if (untimed > 0)
    caption += fmt::format(
        " Before them {} untimed {} compared on public seeds.",
        html::FormatCount(untimed), untimed == 1 ? "trial was" : "trials were");
  return caption;
}

// What one trial read, after its number, seed and kind.
struct Reading {
  const char* name;
  double record::Trial::* value;
};
constexpr std::array<Reading, 11> kReadings{{
    {"reference", &record::Trial::reference_us},
    {"candidate", &record::Trial::candidate_us},
    {"reference_one", &record::Trial::reference_one_us},
    {"reference_chain", &record::Trial::reference_chain_us},
    {"candidate_one", &record::Trial::candidate_one_us},
    {"candidate_chain", &record::Trial::candidate_chain_us},
    {"reference_wall", &record::Trial::reference_wall_us},
    {"candidate_wall", &record::Trial::candidate_wall_us},
    {"constant", &record::Trial::constant_us},
    {"clock", &record::Trial::clock_mhz},
    {"temperature", &record::Trial::temperature_c},
}};

Data TrialData(const record::Trial& trial, size_t index) {
  Data data;
  data.set("number", std::to_string(index + 1));
  data.set("seed", std::to_string(trial.seed));
  data.set("timed", trial.timed ? "timed" : "untimed");
  data.set("counts", !trial.timed ? "\u2013" : trial.counts ? "yes" : "no");
  for (const auto& [name, value] : kReadings) {
    const double read = trial.*value;
    data.set(name, read == 0 ? "\u2013" : Thousandths(read));
  }
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
  for (const auto& [side, s] : html::NamedTimes(e)) {
    Data row;
    row.set("side", side);
    row.set("median", Thousandths(s.median));
    row.set("mean", Thousandths(s.mean));
    row.set("stddev", Thousandths(s.stddev));
    row.set("min", Thousandths(s.min));
    row.set("q25", Thousandths(s.q25));
    row.set("q75", Thousandths(s.q75));
    row.set("max", Thousandths(s.max));
    row.set("trials", html::FormatCount(s.count));
    times.push_back(row);
  }
  data->set("has_times", !times.empty());
  data->set("times", Data(times));
}

void SetSizes(const Evaluation& e, Data* data) {
  DataList sizes;
  if (e.sizes)
    for (const record::AtSize& at : *e.sizes) {
      Data row;
      row.set("size", record::SizeName(at.size));
      row.set("verdict", html::FormatVerdict(at.verdict));
      row.set("kind", html::VerdictKind(at.verdict));
      row.set("speedup",
              at.speedup ? html::FormatSpeedup(*at.speedup) : "\u2013");
      SetTime("candidate", at.candidate_time, at.candidate_wall, &row);
      SetTime("reference", at.reference_time, at.reference_wall, &row);
      sizes.push_back(row);
    }
  data->set("has_sizes", !sizes.empty());
  data->set("sizes", Data(sizes));
}

void SetRuler(const Evaluation& e, Data* data) {
  data->set("has_ruler", e.ruler.has_value());
  if (!e.ruler) return;
  data->set("ruler_summary", html::RulerSummary(*e.ruler));
  data->set("ruler", ToData(html::RulerFacts(*e.ruler)));
}

void SetWhatRan(const Evaluation& e, Data* data) {
  data->set("has_what_ran", e.provenance.has_value());
  if (e.provenance)
    data->set("what_ran", ToData(html::ProvenanceFacts(*e.provenance)));
}

void SetProfile(const Evaluation& e, Data* data) {
  data->set("has_profile", e.profile.has_value());
  if (e.profile) data->set("profile", ToData(html::ProfileFacts(*e.profile)));
}

// --- Texts ---

void SetTexts(const Evaluation& e, Data* data) {
  data->set("has_log", !e.log.empty());
  data->set("log", html::Visible(base::Shorten(e.log, kMaxLog)));
  data->set("log_size", Bytes(e.log.size()));
  data->set("log_open", e.verdict && *e.verdict != Verdict::kCorrect &&
                            e.log.size() < 4096);
  const record::Candidate& candidate = e.candidate;
  data->set("source_size", Bytes(candidate.source.size()));
  data->set(
      "source",
      html::HighlightHtml(
          html::Visible(base::Shorten(candidate.source, kMaxSource)),
          candidate.track == record::Track::kPython ? html::Language::kPython
                                                    : html::Language::kCpp));
}

}  // namespace

Data ToData(const html::FactList& facts) {
  DataList items;
  for (const auto& [name, value] : facts) {
    Data fact;
    fact.set("name", name);
    fact.set("value", value);
    items.push_back(fact);
  }
  return Data(items);
}

Data CandidateData(const Evaluation& evaluation, const std::string& id,
                   const SpeedupAxis& axis) {
  Data data;
  SetRow(evaluation, id, axis, &data);
  SetSizes(evaluation, &data);
  SetMismatch(evaluation, &data);
  SetRemarks(evaluation, &data);
  SetTrials(evaluation, &data);
  SetTimes(evaluation, &data);
  SetWhatRan(evaluation, &data);
  SetProfile(evaluation, &data);
  SetRuler(evaluation, &data);
  data.set("facts", ToData(html::JudgingFacts(evaluation)));
  SetTexts(evaluation, &data);
  return data;
}

}  // namespace kb::report
