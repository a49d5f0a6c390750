#include "commands/problems.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/json.h"
#include "html/html.h"
#include "problems/pack.h"
#include "record/document.h"
#include "shared_options.h"
#include "workplace/names.h"
#include "workplace/selection.h"
#include "workplace/workplace.h"

namespace kb::cli {
namespace {

using base::Json;
using base::Result;

Json FlagsToJson(const std::vector<record::Flag>& flags) {
  Json list = Json::array();
  for (const record::Flag& flag : flags)
    list.push_back({{"flag", flag.flag}, {"reason", flag.Text()}});
  return list;
}

Json TolerancesToJson(const std::vector<record::ToleranceNote>& notes) {
  Json list = Json::array();
  for (const record::ToleranceNote& note : notes)
    list.push_back({{"precision", record::PrecisionName(note.precision)},
                    {"value", note.value},
                    {"honest", note.honest},
                    {"cheat", note.cheat}});
  return list;
}

Json CostToJson(const std::optional<record::Cost>& cost) {
  if (!cost) return nullptr;
  return {{"memory_bytes", cost->memory_bytes},
          {"judging_bytes", cost->JudgingBytes()},
          {"compulsory_bytes", cost->compulsory_bytes},
          {"flops", cost->flops}};
}

// "fp32 bf16"; all of them when the notes name none.
std::vector<std::string> PrecisionNames(
    const std::vector<record::Precision>& precisions) {
  if (precisions.empty()) return {"fp32", "fp16", "bf16"};
  return workplace::NamesOf(precisions);
}

Json ToJson(const problems::Pack& pack, const problems::Entry& entry) {
  return {
      {"id", entry.id},
      {"name", entry.name},
      {"path", entry.path},
      {"reference", entry.reference},
      {"small", entry.has_small},
      {"sizes", problems::SizeNamesOf(entry)},
      {"precisions", PrecisionNames(entry.precisions)},
      {"tags", entry.tags},
      {"flags", FlagsToJson(entry.flags)},
      {"tolerances", TolerancesToJson(entry.tolerances)},
      {"cost",
       {{"full", CostToJson(pack.CostOf(entry.id, record::Size::kFull))},
        {"small", CostToJson(pack.CostOf(entry.id, record::Size::kSmall))}}}};
}

Result<ExitCode> List(const ProblemsOptions& options) {
  KB_ASSIGN(const problems::Pack pack, workplace::OpenPack(options.pack));
  KB_ASSIGN(const auto entries, workplace::Selected(pack, options.selection));
  if (options.json) {
    Json list = Json::array();
    for (const problems::Entry& entry : entries)
      list.push_back(ToJson(pack, entry));
    fmt::print("{}\n", base::DumpJson(record::Document("problems",
                                                       {{"version", KB_VERSION},
                                                        {"problems", list}}),
                                      2));
  } else {
    for (const problems::Entry& entry : entries)
      fmt::print("{:<12} {:<40} {:<6} {}\n", entry.id, entry.name,
                 entry.has_small ? "small" : "",
                 fmt::join(workplace::NamesOf(entry.flags), " "));
    fmt::print("{}\n", html::CountOf(entries.size(), "problem"));
  }
  for (const problems::Issue& issue : pack.Issues())
    fmt::print(stderr, "kernelbench: {}\n", issue.ToString());
  return pack.Issues().empty() ? ExitCode::kDone : ExitCode::kNo;
}

Json LimitsToJson(const std::map<std::string, problems::Limits>& limits) {
  Json list = Json::array();
  for (const auto& [selection, limit] : limits)
    list.push_back({{"selection", selection},
                    {"turns", limit.turns},
                    {"seconds", limit.seconds}});
  return list;
}

void PrintProblem(const problems::Pack& pack, const problems::Entry& entry,
                  const record::Problem& problem) {
  fmt::print("# {} {} ({})\n", problem.id, problem.name,
             record::SizeName(problem.size));
  fmt::print("# sizes: {}\n", fmt::join(problems::SizeNamesOf(entry), " "));
  fmt::print("# tags: {}\n", fmt::join(problem.tags, " "));
  fmt::print("# precisions: {}\n",
             fmt::join(PrecisionNames(problem.precisions), " "));
  if (problem.given == record::Precision::kAsGiven)
    fmt::print("# judged as_given: its tensors are of several types\n");
  if (const auto& cost = problem.cost)
    fmt::print(
        "# takes: {:.2f} GB for the reference, {:.2f} GB to judge; {:.4g} MB "
        "to move, {:.4g} GFLOP\n",
        static_cast<double>(cost->memory_bytes) / 1e9,
        static_cast<double>(cost->JudgingBytes()) / 1e9,
        static_cast<double>(cost->compulsory_bytes) / 1e6, cost->flops / 1e9);
  for (const auto& [selection, limit] : pack.LimitsOf(problem.id))
    fmt::print("# conversation in {}: at most {} turns and {:.0f} s\n",
               selection, limit.turns, limit.seconds);
  for (const record::Flag& flag : problem.flags)
    fmt::print("# flag {}: {}\n", flag.flag, flag.Text());
  for (const record::ToleranceNote& note : problem.tolerances)
    fmt::print("# tolerance in {}: {}; honest code needs {}, a cheat {}\n",
               record::PrecisionName(note.precision), note.value, note.honest,
               note.cheat);
  fmt::print("# sha256 {}\n\n{}", problem.Hash(), problem.source);
}

Result<ExitCode> Show(const ProblemsOptions& options) {
  KB_ASSIGN(const problems::Pack pack, workplace::OpenPack(options.pack));
  KB_ASSIGN(
      const record::Size size,
      workplace::ChooseSize(options.size, options.fit, record::Size::kFull));
  KB_ASSIGN(const problems::Entry entry, pack.Find(options.id));
  KB_ASSIGN(const record::Problem problem,
            pack.Load(options.id, size, options.fit.value_or(0)));
  if (!options.json) {
    PrintProblem(pack, entry, problem);
    return ExitCode::kDone;
  }
  fmt::print(
      "{}\n",
      base::DumpJson(
          record::Document(
              "problem", {{"version", KB_VERSION},
                          {"id", problem.id},
                          {"name", problem.name},
                          {"size", record::SizeName(problem.size)},
                          {"sizes", problems::SizeNamesOf(entry)},
                          {"reference", problem.reference},
                          {"precisions", PrecisionNames(problem.precisions)},
                          {"as_given", record::PrecisionName(problem.given)},
                          {"limits", LimitsToJson(pack.LimitsOf(problem.id))},
                          {"hash", problem.Hash()},
                          {"tags", problem.tags},
                          {"flags", FlagsToJson(problem.flags)},
                          {"tolerances", TolerancesToJson(problem.tolerances)},
                          {"cost", CostToJson(problem.cost)},
                          {"source", problem.source}}),
          2));
  return ExitCode::kDone;
}

}  // namespace

void AddProblems(Command* program, ProblemsOptions* options, Call* call) {
  Command* problems = program->AddCommand("problems", "look at the problems");
  problems->NeedCommand(1, 1);
  Command* list = problems->AddCommand("list", "all problems of a pack");
  Command* show = problems->AddCommand(
      "show", "one problem: the source that runs, and what is known of it");
  show->Footer("example:\n  kernelbench problems show level1/23 --size small");
  show->Add("id", &options->id, "level1/23").Required();
  show->Add("--size", &options->size,
            "full (default), small, or a size that the problem names");
  AddFit(show, &options->fit);
  AddSelection(list, &options->selection);
  for (Command* command : {list, show}) {
    command->Add(
        "--pack", &options->pack,
        "folder, .jsonl, .parquet or .py file, or hf:OWNER/NAME, of problems");
    command->AddFlag("--json", &options->json, "print JSON for machines");
  }
  Means(list, call, options, List);
  Means(show, call, options, Show);
}

}  // namespace kb::cli
