#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "chart.h"
#include "html/base64.h"
#include "html/format.h"
#include "html/html.h"
#include "html/text.h"
#include "page_data.h"
#include "report/evaluations.h"

extern "C" const char kb_report_page[];
extern "C" const char kb_report_style[];
extern "C" const char kb_report_script[];

namespace kb::report {
namespace {

using html::DataList;
using record::Evaluation;
using record::Verdict;

struct Headline {
  int64_t judged = 0;  // got a verdict
  int64_t not_run = 0;
  int64_t correct = 0;
  int64_t faster = 0;            // of the certified
  std::vector<double> speedups;  // of the correct and certified, ascending
  std::vector<double> walls;     // the same by wall time; the first ruler: none
};

Headline Count(const std::vector<Evaluation>& evaluations) {
  Headline headline;
  for (const Evaluation& e : evaluations) {
    ++(e.verdict ? headline.judged : headline.not_run);
    if (e.verdict != Verdict::kCorrect) continue;
    ++headline.correct;
    if (!e.speedup || !(e.speedup->estimate > 0)) continue;
    headline.faster += e.speedup->estimate > 1 ? 1 : 0;
    headline.speedups.push_back(e.speedup->estimate);
    if (e.wall_speedup && e.wall_speedup->estimate > 0)
      headline.walls.push_back(e.wall_speedup->estimate);
  }
  std::sort(headline.speedups.begin(), headline.speedups.end());
  std::sort(headline.walls.begin(), headline.walls.end());
  return headline;
}

// Of a sorted list that is not empty.
double Median(const std::vector<double>& sorted) {
  const size_t middle = sorted.size() / 2;
  if (sorted.size() % 2 == 1) return sorted[middle];
  return (sorted[middle - 1] + sorted[middle]) / 2;
}

double GeometricMean(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += std::log(value);
  return std::exp(sum / static_cast<double>(values.size()));
}

Data Figure(const char* name, const std::string& value,
            const std::string& note) {
  Data data;
  data.set("name", name);
  data.set("value", value);
  data.set("note", note);
  return data;
}

using Middle = double(const std::vector<double>&);

// The figure by device time; by wall time beside it.
Data SpeedupFigure(const char* name, Middle* middle, const Headline& h) {
  if (h.speedups.empty()) return Figure(name, "\u2013", "of 0 certified");
  std::string note =
      fmt::format("of {} certified", html::FormatCount(std::ssize(h.speedups)));
  if (!h.walls.empty())
    note += fmt::format(", wall {}", html::FormatRatio(middle(h.walls)));
  return Figure(name, html::FormatRatio(middle(h.speedups)), note);
}

Data Figures(const Headline& h) {
  const auto certified = static_cast<int64_t>(h.speedups.size());
  const std::string of_certified =
      fmt::format("of {} certified", html::FormatCount(certified));
  DataList figures;
  figures.push_back(Figure(
      "Judged", html::FormatCount(h.judged),
      h.not_run > 0 ? fmt::format("{} not run", html::FormatCount(h.not_run))
                    : "candidates"));
  figures.push_back(Figure("Correct", html::FormatCount(h.correct),
                           fmt::format("of {}", html::FormatCount(h.judged))));
  figures.push_back(
      Figure("Certified", html::FormatCount(certified),
             fmt::format("of {} correct", html::FormatCount(h.correct))));
  figures.push_back(
      Figure("Faster than PyTorch", html::FormatCount(h.faster), of_certified));
  figures.push_back(SpeedupFigure("Median speedup", Median, h));
  figures.push_back(SpeedupFigure("Geometric mean", GeometricMean, h));
  return Data(figures);
}

// Each verdict that occurs, in the order of the enumeration, and "not run".
Data Verdicts(const std::vector<Evaluation>& evaluations) {
  constexpr auto kLast = static_cast<size_t>(Verdict::kInfraError);
  std::array<int64_t, kLast + 2> counts{};
  std::array<const Evaluation*, kLast + 2> examples{};
  for (const Evaluation& e : evaluations) {
    const size_t i = e.verdict ? static_cast<size_t>(*e.verdict) : kLast + 1;
    ++counts[i];
    examples[i] = &e;
  }
  DataList verdicts;
  for (size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] == 0) continue;
    Data data;
    data.set("verdict", html::FormatVerdict(*examples[i]));
    data.set("kind", html::VerdictKind(examples[i]->verdict));
    data.set("count", std::to_string(counts[i]));
    verdicts.push_back(data);
  }
  return Data(verdicts);
}

std::string DeviceName(const record::DeviceFacts& device) {
  if (device.name.empty()) return device.device;
  return fmt::format("{} ({})", device.name, device.device);
}

void SetHead(const PageFacts& facts, Data* data) {
  const std::string script(kb_report_script);
  data->set("style", kb_report_style);
  data->set("script", script);
  data->set("script_hash", html::ScriptHash(script));
  data->set("title", html::VisibleLine(facts.title));
  data->set("version", html::VisibleLine(facts.version));
  data->set("generated_at", html::VisibleLine(facts.generated_at));
  data->set("unsafe", facts.isolation == "none");
  html::FactList machine;
  html::AddFact("Device", DeviceName(facts.device), &machine);
  html::AddFact("Driver", facts.device.driver, &machine);
  html::AddFact("torch", facts.device.torch, &machine);
  html::AddFact("Architecture", facts.device.arch, &machine);
  html::AddFact("Isolation", facts.isolation, &machine);
  html::AddFact("Generated", facts.generated_at, &machine);
  data->set("machine", ToData(machine));
}

}  // namespace

std::string RenderHtml(const std::vector<Evaluation>& evaluations,
                       const PageFacts& facts) {
  Data data;
  SetHead(facts, &data);
  data.set("figures", Figures(Count(evaluations)));
  data.set("verdicts", Verdicts(evaluations));
  data.set("any", !evaluations.empty());
  const SpeedupAxis axis = AxisFor(evaluations);
  data.set("scale", SpeedupScaleSvg(axis));
  DataList rows;
  for (size_t i = 0; i < evaluations.size(); ++i)
    rows.push_back(CandidateData(evaluations[i], i, axis));
  data.set("rows", Data(rows));
  return html::FillPage(kb_report_page, data);
}

}  // namespace kb::report
