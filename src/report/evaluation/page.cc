#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>
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
extern "C" const char kb_report_card[];
extern "C" const char kb_report_style[];
extern "C" const char kb_report_script[];

namespace kb::report {
namespace {

using html::DataList;
using record::Evaluation;
using record::Verdict;

// The verdict that evaluation `i` should get; "" where nothing is expected.
std::string ExpectedOf(const PageFacts& facts, size_t i) {
  return i < facts.expected.size() ? facts.expected[i] : std::string();
}

// "not certified": verdicts as a reader sees them.
std::string Spoken(std::string verdict) {
  std::ranges::replace(verdict, '_', ' ');
  return html::VisibleLine(verdict);
}

bool IsUnexpected(const Evaluation& e, const std::string& expected) {
  return !expected.empty() && Spoken(expected) != html::FormatVerdict(e);
}

bool IsCertified(const Evaluation& e) {
  return e.verdict == Verdict::kCorrect && e.speedup && e.speedup->estimate > 0;
}

struct Headline {
  int64_t judged = 0;  // got a verdict
  int64_t not_run = 0;
  int64_t correct = 0;
  int64_t certified = 0;  // correct, with a time
  int64_t faster = 0;     // of the certified
  int64_t expected = 0;   // of these something was expected
  std::vector<size_t> unexpected;
};

Headline Count(const std::vector<Evaluation>& evaluations,
               const PageFacts& facts) {
  Headline headline;
  for (size_t i = 0; i < evaluations.size(); ++i) {
    const Evaluation& e = evaluations[i];
    ++(e.verdict ? headline.judged : headline.not_run);
    headline.correct += e.verdict == Verdict::kCorrect ? 1 : 0;
    headline.certified += IsCertified(e) ? 1 : 0;
    headline.faster += IsCertified(e) && e.speedup->estimate > 1 ? 1 : 0;
    const std::string expected = ExpectedOf(facts, i);
    headline.expected += expected.empty() ? 0 : 1;
    if (IsUnexpected(e, expected)) headline.unexpected.push_back(i);
  }
  return headline;
}

Data Figure(const char* name, const std::string& value,
            const std::string& note) {
  Data data;
  data.set("name", name);
  data.set("value", value);
  data.set("note", note);
  return data;
}

Data Figures(const Headline& h) {
  DataList figures;
  if (h.expected > 0)
    figures.push_back(Figure(
        "As expected", html::FormatCount(h.expected - std::ssize(h.unexpected)),
        fmt::format("of {}", html::FormatCount(h.expected))));
  figures.push_back(Figure(
      "Judged", html::FormatCount(h.judged),
      h.not_run > 0 ? fmt::format("{} not run", html::FormatCount(h.not_run))
                    : "candidates"));
  figures.push_back(Figure("Correct", html::FormatCount(h.correct),
                           fmt::format("of {}", html::FormatCount(h.judged))));
  figures.push_back(
      Figure("Certified", html::FormatCount(h.certified),
             fmt::format("of {} correct", html::FormatCount(h.correct))));
  figures.push_back(
      Figure("Faster than PyTorch", html::FormatCount(h.faster),
             fmt::format("of {} certified", html::FormatCount(h.certified))));
  return Data(figures);
}

std::string IdOf(size_t index) { return fmt::format("c{}", index + 1); }

// The first sentence of the page, when something was expected.
void SetLead(const Headline& h, const std::vector<Evaluation>& evaluations,
             const PageFacts& facts, Data* data) {
  data->set("has_lead", h.expected > 0);
  data->set("lead_kind", h.unexpected.empty() ? "good" : "bad");
  data->set("lead", fmt::format("{} of {} as expected",
                                html::FormatCount(h.expected -
                                                  std::ssize(h.unexpected)),
                                html::FormatCount(h.expected)));
  data->set("has_unexpected", !h.unexpected.empty());
  data->set(
      "unexpected_count",
      fmt::format("{} not:", html::FormatCount(std::ssize(h.unexpected))));
  DataList items;
  for (const size_t i : h.unexpected) {
    Data item;
    item.set("id", IdOf(i));
    item.set("candidate", html::VisibleLine(evaluations[i].candidate.name));
    item.set("problem", html::VisibleLine(evaluations[i].problem_id));
    item.set("verdict", html::FormatVerdict(evaluations[i]));
    item.set("expected", Spoken(ExpectedOf(facts, i)));
    items.push_back(item);
  }
  data->set("unexpected", Data(items));
}

// What the reader came for first: surprises, then what is right and fast.
std::vector<size_t> Order(const std::vector<Evaluation>& evaluations,
                          const PageFacts& facts) {
  const auto rank = [&](size_t i) {
    const Evaluation& e = evaluations[i];
    if (IsUnexpected(e, ExpectedOf(facts, i))) return 0;
    if (IsCertified(e)) return 1;
    return e.verdict == Verdict::kCorrect ? 2 : 3;
  };
  const auto speedup = [&](size_t i) {
    return IsCertified(evaluations[i]) ? evaluations[i].speedup->estimate : 0;
  };
  std::vector<size_t> order(evaluations.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::ranges::stable_sort(order, [&](size_t a, size_t b) {
    return rank(a) != rank(b) ? rank(a) < rank(b) : speedup(a) > speedup(b);
  });
  return order;
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
  const Headline headline = Count(evaluations, facts);
  SetLead(headline, evaluations, facts, &data);
  data.set("figures", Figures(headline));
  data.set("verdicts", Verdicts(evaluations));
  data.set("any", !evaluations.empty());
  const SpeedupAxis axis = AxisFor(evaluations);
  data.set("scale", SpeedupScaleSvg(axis));
  DataList rows, not_run;
  for (const size_t i : Order(evaluations, facts)) {
    const Evaluation& e = evaluations[i];
    const std::string expected = ExpectedOf(facts, i);
    Data row = CandidateData(e, IdOf(i), axis);
    row.set("expected", Spoken(expected));
    row.set("is_unexpected", IsUnexpected(e, expected));
    const bool folded = !e.verdict && !IsUnexpected(e, expected);
    (folded ? not_run : rows).push_back(row);
  }
  data.set("any_rows", !rows.empty());
  data.set("any_not_run", !not_run.empty());
  data.set("not_run_count", html::FormatCount(std::ssize(not_run)));
  data.set("rows", Data(rows));
  data.set("not_run", Data(not_run));
  data.set("card", kainjow::mustache::partial([] { return kb_report_card; }));
  return html::FillPage(kb_report_page, data);
}

}  // namespace kb::report
