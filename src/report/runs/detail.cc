#include "detail.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "base/text.h"
#include "html/facts.h"
#include "html/format.h"
#include "html/html.h"
#include "html/text.h"

namespace kb::report {
namespace {

using base::Json;
using record::Evaluation;
using record::Trial;

constexpr size_t kMaxLog = 16 << 10;
constexpr size_t kMaxRemarks = 50;
constexpr size_t kMaxTrials = 400;  // policies time a hundred

Json ToJson(const html::FactList& facts) {
  Json list = Json::array();
  for (const auto& [name, value] : facts)
    list.push_back({name, base::Shorten(value, html::kMaxReason)});
  return list;
}

Json Remarks(const std::vector<std::string>& texts) {
  Json list = Json::array();
  for (size_t i = 0; i < std::min(texts.size(), kMaxRemarks); ++i)
    list.push_back(
        html::VisibleLine(base::Shorten(texts[i], html::kMaxReason)));
  return list;
}

Json MismatchJson(const Evaluation& e) {
  Json positions = Json::array();
  for (const auto& [which, position] : {std::pair("first", &e.mismatch->first),
                                        std::pair("worst", &e.mismatch->worst)})
    if (position->has_value())
      positions.push_back({which, html::IndexOf(**position),
                           html::Number((*position)->expected),
                           html::Number((*position)->actual)});
  return {{"summary", html::MismatchSummary(*e.mismatch)},
          {"positions", positions},
          {"facts", ToJson(html::MismatchFacts(e))}};
}

// One list per quantity, because equal digits then lie together; a side that no
// trial has is left out.
Json TrialsJson(const Evaluation& e) {
  Json reference = Json::array();
  Json candidate = Json::array();
  std::string counts;
  bool has_reference = false;
  int64_t untimed = 0;
  for (const Trial& trial : e.trials) {
    if (!trial.timed) ++untimed;
    if (!trial.timed || counts.size() >= kMaxTrials) continue;
    has_reference |= trial.reference_us != 0;
    reference.push_back(Rounded(trial.reference_us));
    candidate.push_back(Rounded(trial.candidate_us));
    counts += trial.counts ? '1' : '0';
  }
  Json trials{
      {"untimed", untimed}, {"counts", counts}, {"candidate", candidate}};
  if (has_reference) trials["reference"] = reference;
  return trials;
}

Json TimesJson(const Evaluation& e) {
  Json times = Json::array();
  for (const auto& [side, s] : html::NamedTimes(e)) {
    times.push_back({side, Rounded(s.median), Rounded(s.mean),
                     Rounded(s.stddev), Rounded(s.min), Rounded(s.q25),
                     Rounded(s.q75), Rounded(s.max), s.count});
  }
  return times;
}

// A row for each: its name, verdict, speedup and both sides' times.
Json SizesJson(const std::vector<record::AtSize>& sizes) {
  Json rows = Json::array();
  for (const record::AtSize& at : sizes) {
    const auto time = [](const std::optional<record::TimeSummary>& summary) {
      return summary ? html::FormatTime(summary->median, html::kMicro)
                     : "\u2013";
    };
    rows.push_back({record::SizeName(at.size), html::FormatVerdict(at.verdict),
                    at.speedup ? html::FormatSpeedup(*at.speedup) : "\u2013",
                    time(at.candidate_time), time(at.reference_time)});
  }
  return rows;
}

std::string Known(std::string_view value) {
  return value.empty() ? "not recorded" : html::Cell(value);
}

// Who wrote it, and how it was asked for.
html::FactList Origin(const BookRun& run, const BookSample& sample,
                      const Evaluation& e) {
  const int64_t number = sample.outcome.sample;
  const auto& usd = sample.outcome.usd;
  html::FactList facts{
      {"Model", Known(e.model)},
      {"Run", Known(run.name)},
      {"Sample", number < 0 ? "not recorded" : std::to_string(number)}};
  for (const auto& [name, value] : run.settings)
    if (name != "Model")
      facts.emplace_back(html::Cell(name), html::Cell(value));
  facts.emplace_back("Price of the answer",
                     usd ? fmt::format("{:.4g} USD", *usd) : "not recorded");
  return facts;
}

Json BaselineJson(const record::Baseline& baseline) {
  Json json{{"mode", record::BaselineModeName(baseline.mode)},
            {"setting", fmt::format("{}, {}", record::SizeName(baseline.size),
                                    record::PrecisionName(baseline.precision))},
            {"device", Known(baseline.device.name)},
            {"torch", Known(baseline.device.torch)},
            {"tf32", Known(baseline.tf32)},
            {"measured", Known(baseline.measured_at)},
            {"compile",
             html::FormatTime(baseline.compile_seconds * 1e6, html::kMicro)},
            {"reason", html::VisibleLine(
                           base::Shorten(baseline.reason, html::kMaxReason))}};
  if (!baseline.time) return json;
  json["median"] = Rounded(baseline.time->median);
  json["q25"] = Rounded(baseline.time->q25);
  json["q75"] = Rounded(baseline.time->q75);
  json["count"] = baseline.time->count;
  return json;
}

// One word for a shell, whatever a model called its file.
std::string Word(const std::string& text) {
  constexpr const char* kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._/:@";
  std::string line = html::Cell(text);
  if (!line.empty() &&
      line.find_first_not_of(std::string(kPlain) + "-") == std::string::npos &&
      line.front() != '-')
    return line;
  std::string quoted = line.starts_with('-') ? "'./" : "'";
  for (const char c : line) quoted += c == '\'' ? "'\\''" : std::string(1, c);
  return quoted + "'";
}

// What judges the candidate again, from its file.
std::string CommandOf(const Evaluation& e) {
  std::string command =
      fmt::format("kernelbench eval {} --problem {} --precision {} --policy {}",
                  Word(e.candidate.name), Word(e.problem_id),
                  record::PrecisionName(e.precision), Word(e.policy.name));
  if (e.size != record::Size::kFitted)
    command += fmt::format(" --size {}", record::SizeName(e.size));
  if (!e.device.device.empty()) command += " --device " + Word(e.device.device);
  return command;
}

}  // namespace

Json Rounded(double value) {
  if (!std::isfinite(value)) return nullptr;
  return std::strtod(fmt::format("{:.5g}", value).c_str(), nullptr);
}

Json DetailJson(const BookRun& run, const BookSample& sample,
                const Evaluation& e) {
  Json json{
      {"path", html::Cell(e.candidate.path)},
      {"language",
       e.candidate.track == record::Track::kPython ? "python" : "cpp"},
      {"backend", record::BackendName(e.candidate.backend)},
      {"reason", html::Visible(base::Shorten(e.reason, html::kMaxReason))},
      {"log", html::Visible(base::Shorten(e.log, kMaxLog))},
      {"interpreted", e.interpreted},
      {"notes", Remarks(e.notes)},
      {"checked", Remarks(e.checked)},
      {"unchecked", Remarks(e.unchecked)},
      {"origin", ToJson(Origin(run, sample, e))},
      {"command", CommandOf(e)},
      {"facts", ToJson(html::JudgingFacts(e))},
      {"times", TimesJson(e)},
      {"trials", TrialsJson(e)}};
  if (e.sizes) json["sizes"] = SizesJson(*e.sizes);
  if (e.mismatch) json["mismatch"] = MismatchJson(e);
  if (e.speedup) json["speedup"] = html::FormatSpeedup(*e.speedup);
  if (e.wall_speedup) json["wall"] = html::FormatSpeedup(*e.wall_speedup);
  if (e.provenance)
    json["what_ran"] = ToJson(html::ProvenanceFacts(*e.provenance));
  if (e.profile) json["profile"] = ToJson(html::ProfileFacts(*e.profile));
  if (e.ruler) {
    json["ruler"] = ToJson(html::RulerFacts(*e.ruler));
    json["measured"] = html::RulerSummary(*e.ruler);
  }
  return json;
}

Json ProblemJson(const BookProblem& problem) {
  Json flags = Json::array();
  for (const record::Flag& flag : problem.flags)
    flags.push_back(
        {html::Cell(flag.flag),
         html::VisibleLine(base::Shorten(flag.Text(), html::kMaxReason))});
  Json baselines = Json::array();
  for (const record::Baseline& baseline : problem.baselines)
    baselines.push_back(BaselineJson(baseline));
  Json tags = Json::array();
  for (const std::string& tag : problem.tags) tags.push_back(html::Cell(tag));
  Json json{{"tags", tags}, {"flags", flags}, {"baselines", baselines}};
  if (problem.cost) {
    json["flops"] = Rounded(problem.cost->flops);
    json["bytes"] = problem.cost->compulsory_bytes;
    json["memory"] = problem.cost->memory_bytes;
  }
  return json;
}

}  // namespace kb::report
