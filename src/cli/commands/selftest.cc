#include "commands/selftest.h"

#include <fmt/format.h>

#include "base/json.h"
#include "commands/selftest_corpus.h"
#include "html/format.h"
#include "record/document.h"
#include "ruler_check.h"
#include "shared_options.h"
#include "workplace/selection.h"
#include "workplace/workplace.h"

namespace kb::cli {
namespace {

using aa::Bounds;
using aa::Line;
using aa::Summary;
using base::Json;
using base::Result;
using record::Evaluation;
using workplace::Workplace;

void PrintLine(const Line& line) {
  if (!line.measured()) {
    const std::string why =
        line.evaluation == nullptr ? "not judged" : line.evaluation->reason;
    fmt::print("{:<16} {}\n", line.id, why);
    return;
  }
  const Evaluation& e = *line.evaluation;
  const record::Interval& s = *e.speedup;
  const auto end = [&s](double value) {
    return html::SaysSomething(value, s.estimate) ? fmt::format("{:.4f}", value)
                                                  : std::string("?");
  };
  fmt::print(
      "{:<16} {:>9} {:>7.4f} [{}, {}] {:<3} {:>7} {:>6} {:>9.1f} {:>6}  {}\n",
      line.id, html::FormatTime(e.reference_time->median), s.estimate,
      end(s.low), end(s.high), line.within() ? "yes" : "no", e.ruler->calls,
      e.reference_time->count, e.ruler->constant_us,
      e.wall_speedup ? fmt::format("{:.3f}", e.wall_speedup->estimate) : "-",
      e.ruler->gated ? "" : "not gated");
}

void PrintTable(const std::vector<Line>& lines, const Summary& summary,
                const Bounds& bounds) {
  fmt::print("{:<16} {:>9} {:>7} {:<16} {:<3} {:>7} {:>6} {:>9} {:>6}\n",
             "problem", "a call", "ratio", "95 % interval", "1?", "calls",
             "rounds", "constant", "wall");
  for (const Line& line : lines) PrintLine(line);
  fmt::print(
      "\nEach reference as its own candidate: the true ratio is 1.\n{}{}\n",
      aa::Describe(summary, bounds),
      aa::IsStraight(summary, bounds) ? "The ruler is straight."
                                      : "The ruler is NOT straight here.");
}

Json ToJson(const std::vector<Line>& lines, const Summary& summary,
            const Bounds& bounds) {
  Json list = Json::array();
  for (const Line& line : lines)
    list.push_back({{"problem", line.id},
                    {"evaluation", line.evaluation == nullptr
                                       ? Json(nullptr)
                                       : record::ToJson(*line.evaluation)}});
  Json json{{"version", KB_VERSION}};
  json.update(aa::ToJson(summary, bounds));
  json["problems"] = std::move(list);
  return json;
}

Result<ExitCode> Run(const SelftestOptions::Timing& said) {
  SelftestOptions::Timing options = said;
  workplace::SelectionOptions& selection = options.selection;
  if (selection.problems.empty() && selection.levels.empty() &&
      selection.select.empty())
    selection.problems = aa::FewProblems();
  KB_ASSIGN(const Workplace workplace, workplace::SetUp(options.judge));
  KB_ASSIGN(const auto entries,
            workplace::SelectedAt(workplace.size, workplace.pack, selection));
  KB_ASSIGN(const auto tasks, aa::Tasks(workplace, entries));
  const workplace::Judged judged =
      workplace::Judge(tasks, workplace, options.judge.store);
  const std::vector<Line> lines = aa::LinesOf(tasks, judged);
  const Bounds bounds = aa::BoundsFor(workplace.device_kind == "cuda");
  const Summary summary = aa::Summarize(lines);
  if (options.judge.json)
    fmt::print(
        "{}\n",
        base::DumpJson(
            record::Document("selftest", ToJson(lines, summary, bounds)), 2));
  else
    PrintTable(lines, summary, bounds);
  if (judged.interrupted) fmt::print(stderr, "interrupted\n");
  if (judged.interrupted || judged.error) return workplace::ExitCodeOf(judged);
  return aa::IsStraight(summary, bounds) ? ExitCode::kDone : ExitCode::kNo;
}

void AddCorpus(Command* selftest, SelftestOptions* options, Call* call) {
  selftest->Footer(
      "example:\n  kernelbench selftest --hostile --legitimate --device "
      "cpu\n\nexit code: 0 no attempt gained and no honest program was "
      "refused, 1 one did or was, 2 wrong usage, 3 our failure");
  selftest->AddFlag("--hostile", &options->hostile,
                    "programs that try to look right or fast");
  selftest->AddFlag("--legitimate", &options->legitimate,
                    "honest programs that are easy to suspect");
  selftest->Add("--filter", &options->filter,
                "only programs whose path contains this");
  selftest->AddFlag("--quick", &options->quick, "one of each family");
  selftest->AddFlag("--honest-between", &options->honest_between,
                    "after each attempt its honest twin, which must fare as "
                    "it does alone");
  selftest->Add("--export", &options->export_folder,
                "write the programs and a manifest to this folder");
  options->judge.usual_policy = "strict";
  // On one device: attempts beside each other would be judged by each other's
  // work.
  AddJudgeOptions(selftest, &options->judge);
  selftest->Then([=] {
    if (selftest->HasCommand()) return;
    const bool any = options->hostile || options->legitimate;
    if (!any && options->export_folder.empty())
      Command::Miss("--hostile, --legitimate, --export or timing");
    const bool exports = !options->export_folder.empty();
    *call = [=] {
      return exports ? ExportCorpus(*options) : RunCorpus(*options);
    };
  });
}

}  // namespace

void AddSelftest(Command* program, SelftestOptions* options, Call* call) {
  Command* selftest =
      program->AddCommand("selftest", "what can be relied on here");
  selftest->NeedCommand(0, 1);
  AddCorpus(selftest, options, call);
  Command* timing = selftest->AddCommand(
      "timing", "references as their own candidates: is the ruler straight?");
  timing->Footer(
      "example:\n  kernelbench selftest timing --level 1 --size full\n\nexit "
      "code: 0 the ruler is straight, 1 it is not, 2 wrong usage, 3 our "
      "failure");
  SelftestOptions::Timing* const of_timing = &options->timing;
  AddSelection(timing, &of_timing->selection);
  of_timing->judge.several_devices = true;
  AddJudgeOptions(timing, &of_timing->judge);
  Means(timing, call, of_timing, Run);
}

}  // namespace kb::cli
