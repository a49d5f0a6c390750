#include "commands/audit.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <map>

#include "auditing.h"
#include "base/json.h"
#include "base/text.h"
#include "html/html.h"
#include "os/files.h"
#include "os/stop_on_signal.h"
#include "problems/costs.h"
#include "record/audit.h"
#include "record/document.h"
#include "shared_options.h"
#include "workplace/names.h"
#include "workplace/selection.h"
#include "workplace/workplace.h"

namespace kb::cli {
namespace {

using base::Json;
using base::Result;
using workplace::Workplace;

// Shorter than this, a call is mostly launch (design, section 5).
constexpr double kShortMicros = 20;

std::string Shapes(const std::vector<record::TensorSpec>& specs) {
  std::vector<std::string> texts;
  for (const record::TensorSpec& spec : specs) texts.push_back(spec.ToString());
  return fmt::format("{}", fmt::join(texts, " "));
}

// "level1/23: float32[1021, 4099] -> float32[1021, 4099]"
std::string ShapesOf(const AuditLine& line) {
  return fmt::format("{}: {} -> {}", line.entry.id, Shapes(line.audit->inputs),
                     Shapes(line.audit->outputs));
}

// What rounding alone needs, where it comes near what is allowed.
std::optional<std::string> Rounding(const record::Audit& audit,
                                    double allowed) {
  constexpr double kNear = 0.5;
  if (!audit.honest_tolerance || *audit.honest_tolerance < kNear * allowed)
    return std::nullopt;
  const record::MutantResult* cheapest = audit.Cheapest();
  return fmt::format("rounding needs {:.1e}{}", *audit.honest_tolerance,
                     cheapest == nullptr
                         ? ""
                         : fmt::format(", {} {:.1e}", cheapest->name,
                                       *cheapest->least_tolerance));
}

// What is odd about a problem apart from mutants. `allowed`: the precision's
// fixed tolerance; none: it is measured.
std::vector<std::string> Oddities(const AuditLine& line, bool cuda,
                                  std::optional<double> allowed) {
  std::vector<std::string> odd;
  const record::Audit& audit = *line.audit;
  if (!audit.repeatable) odd.emplace_back("differs between runs");
  if (!audit.finite) odd.emplace_back("not finite");
  if (cuda && audit.reference_us < kShortMicros)
    odd.push_back(fmt::format("short: {:.1f} us", audit.reference_us));
  for (const std::string& name : audit.unused_parameters)
    odd.push_back(fmt::format("{} has no effect", name));
  for (const std::string& name : audit.ignored_inputs)
    odd.push_back(fmt::format("input {} has no effect", name));
  constexpr size_t kMost = 4;
  if (odd.size() > kMost) {
    odd.resize(kMost);
    odd.emplace_back("...");
  }
  if (allowed)
    if (auto rounding = Rounding(audit, *allowed)) odd.push_back(*rounding);
  for (const record::MutantResult& mutant : audit.mutants)
    if (mutant.status == record::MutantResult::Status::kFailed)
      odd.push_back(fmt::format("{} failed: {}", mutant.name, mutant.detail));
  return odd;
}

Json ToJson(const AuditLine& line) {
  Json json{{"id", line.entry.id},
            {"name", line.entry.name},
            {"flags", workplace::NamesOf(line.entry.flags)}};
  if (line.audit)
    json["audit"] = record::ToJson(*line.audit);
  else
    json["error"] = line.error;
  return json;
}

// Which trial finds which mutant wrong, over all problems.
void PrintMutants(const std::vector<AuditLine>& lines) {
  using Status = record::MutantResult::Status;
  struct Row {
    size_t survived = 0, killed = 0;
    std::map<std::string, size_t> by_trial;
  };
  std::map<std::string, Row> rows;
  for (const AuditLine& line : lines) {
    if (!line.audit) continue;
    for (const record::MutantResult& mutant : line.audit->mutants) {
      Row& row = rows[mutant.name];
      row.survived += mutant.status == Status::kSurvived ? 1 : 0;
      if (mutant.status != Status::kKilled) continue;
      ++row.killed;
      ++row.by_trial[mutant.trial];
    }
  }
  if (rows.empty()) return;
  fmt::print("\n{:<16} {:>8} {:>8}  {}\n", "mutant", "survives", "found",
             "by the trial");
  for (const auto& [name, row] : rows) {
    std::vector<std::string> trials;
    for (const auto& [trial, count] : row.by_trial)
      trials.push_back(fmt::format("{} {}", trial, count));
    fmt::print("{:<16} {:>8} {:>8}  {}\n", name, row.survived, row.killed,
               fmt::join(trials, ", "));
  }
}

// Prints what there is to say; how many problems are not in order.
size_t PrintText(const std::vector<AuditLine>& lines,
                 const Workplace& workplace) {
  const bool cuda = workplace.device_kind == "cuda";
  std::optional<double> allowed;
  if (workplace.policy.error_multiple == 0)
    allowed = record::FixedTolerance(workplace.policy,
                                     record::PrecisionDType(workplace.precision)
                                         .value_or(record::DType::kFloat32))
                  .rtol;
  size_t bad = 0, survived = 0;
  for (const AuditLine& line : lines) {
    if (!line.audit) {
      ++bad;
      fmt::print("{:<14} cannot run: {}\n", line.entry.id,
                 base::Gist(line.error));
      continue;
    }
    const auto flags = workplace::NamesOf(line.entry.flags);
    const auto survivors = line.audit->Survivors();
    const auto odd = Oddities(line, cuda, allowed);
    survived += survivors.empty() ? 0 : 1;
    const bool unexplained = !survivors.empty() && flags.empty();
    bad += unexplained ? 1 : 0;
    if (survivors.empty() && odd.empty()) continue;
    fmt::print(
        "{:<14} {:<34} {}{}{}\n", line.entry.id,
        survivors.empty() ? "-" : fmt::format("{}", fmt::join(survivors, " ")),
        unexplained ? "NOT FLAGGED" : fmt::format("{}", fmt::join(flags, " ")),
        odd.empty() ? "" : "; ", fmt::join(odd, "; "));
  }
  PrintMutants(lines);
  fmt::print("{}, mutants survive on {}, {} not in order\n",
             html::CountOf(lines.size(), "problem"), survived, bad);
  return bad;
}

// Shapes against those recorded in a file; how many differ.
Result<size_t> CompareShapes(const std::vector<AuditLine>& lines,
                             const std::string& path) {
  KB_ASSIGN(const std::string text, os::ReadFile(path, 1 << 20));
  std::map<std::string, std::string> recorded;
  for (const std::string& line : base::Split(text, '\n'))
    recorded[line.substr(0, line.find(':'))] = line;
  size_t different = 0;
  for (const AuditLine& line : lines) {
    const std::string& wanted = recorded[line.entry.id];
    const std::string found =
        line.audit ? ShapesOf(line) : line.entry.id + ": cannot run";
    if (found == wanted) continue;
    ++different;
    fmt::print("shapes: {}\n  recorded: {}\n", found,
               wanted.empty() ? "nothing" : wanted);
  }
  return different;
}

// Adds what was found to the file's costs of this size.
Result<void> RecordCosts(const std::vector<AuditLine>& lines,
                         const record::Size& size, const std::string& path) {
  problems::Costs costs;
  std::error_code error;
  if (std::filesystem::exists(path, error)) {
    KB_ASSIGN(const std::string text, os::ReadFile(path, 1 << 20));
    KB_ASSIGN(costs, problems::CostsFromText(text));
  }
  for (const AuditLine& line : lines)
    if (line.audit)
      costs[line.entry.id][size] = {
          line.audit->peak_bytes, line.audit->state_bytes,
          line.audit->CompulsoryBytes(), line.audit->flops};
  return os::WriteFileAtomically(path, problems::ToText(costs));
}

Result<void> RecordShapes(const std::vector<AuditLine>& lines,
                          const std::string& path) {
  std::string text;
  for (const AuditLine& line : lines)
    if (line.audit) text += ShapesOf(line) + "\n";
  return os::WriteFileAtomically(path, text);
}

void PrintJson(const std::vector<AuditLine>& lines,
               const Workplace& workplace) {
  Json list = Json::array();
  for (const AuditLine& line : lines) list.push_back(ToJson(line));
  fmt::print(
      "{}\n",
      base::DumpJson(
          record::Document("audit",
                           {{"version", KB_VERSION},
                            {"policy", workplace.policy.name},
                            {"device", workplace.session.lanes.front().device},
                            {"problems", std::move(list)}}),
          2));
}

Result<void> CheckRecording(const AuditOptions& options,
                            const Workplace& workplace) {
  if (options.record_costs.empty()) return base::Ok();
  if (workplace.device_kind != "cuda")
    return base::Usage("--record-costs: memory is only measured on cuda");
  if (workplace.size == record::Size::kFitted)
    return base::Usage("--record-costs: use --size, not --fit");
  return base::Ok();
}

Result<ExitCode> Run(const AuditOptions& options) {
  KB_ASSIGN(Workplace workplace, workplace::SetUp(options.judge));
  KB_TRY(CheckRecording(options, workplace));
  KB_ASSIGN(
      const std::vector<problems::Entry> entries,
      workplace::SelectedAt(workplace.size, workplace.pack, options.selection));
  const os::StopOnSignal signals;
  std::vector<AuditLine> lines = AuditEntries(
      workplace, {!options.references, options.jobs, options.limit}, entries,
      signals.token());
  const bool interrupted = signals.token().stop_requested();
  std::erase_if(lines, [](const AuditLine& line) {
    return !line.audit && line.error.empty();  // not reached
  });
  size_t bad = 0;
  if (options.judge.json)
    PrintJson(lines, workplace);
  else
    bad = PrintText(lines, workplace);
  if (!options.record_shapes.empty())
    KB_TRY(RecordShapes(lines, options.record_shapes));
  if (!options.record_costs.empty())
    KB_TRY(RecordCosts(lines, workplace.size, options.record_costs));
  if (!options.shapes.empty()) {
    KB_ASSIGN(const size_t different, CompareShapes(lines, options.shapes));
    bad += different;
  }
  if (interrupted) {
    fmt::print(stderr, "interrupted\n");
    return ExitCode::kInterrupted;
  }
  return bad == 0 ? ExitCode::kDone : ExitCode::kNo;
}

}  // namespace

void AddAudit(Command* program, AuditOptions* options, Call* call) {
  Command* audit = program->AddCommand(
      "audit", "examine the problems: which wrong answers would pass?");
  audit->Footer(
      "example:\n  kernelbench audit --level 1 --policy strict\n\nexit code: 0 "
      "when wrong answers survive on flagged problems only, else 1");
  AddSelection(audit, &options->selection);
  audit->AddFlag("--references", &options->references,
                 "run the references only, no mutants");
  audit->Add("--jobs", &options->jobs, "oracles at the same time")
      .Between(int64_t{1}, int64_t{64});
  audit->Add("--limit", &options->limit, "seconds for one problem").Positive();
  audit->Add("--shapes", &options->shapes,
             "file of recorded shapes to compare with");
  audit->Add("--record-shapes", &options->record_shapes,
             "file to write the shapes to");
  audit->Add("--record-costs", &options->record_costs,
             "file to add memory, bytes and FLOPs to (cuda)");
  options->judge.has_store = false;
  AddJudgeOptions(audit, &options->judge);
  Means(audit, call, options, Run);
}

}  // namespace kb::cli
