#include "commands/selftest_corpus.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "base/json.h"
#include "corpus/program.h"
#include "corpus/table.h"
#include "html/html.h"
#include "os/files.h"
#include "os/status_line.h"
#include "record/document.h"
#include "source_check/classify.h"
#include "task_of_program.h"
#include "workplace/names.h"

namespace kb::cli {
namespace {

using base::Json;
using base::Result;
using corpus::Group;
using corpus::Program;
using Kind = corpus::Outcome::Kind;
using record::Evaluation;
using workplace::Workplace;

// Those take half a minute of a core each.
bool BuildsAnExtension(const Program& program) {
  const auto candidate = source_check::Classify(program.path, program.source);
  return candidate && candidate->builds_extension;
}

// The first of each family that can run and builds no extension.
void KeepFew(const std::string& device_kind, std::vector<Program>* programs) {
  std::set<std::string> seen;
  std::erase_if(*programs, [&](const Program& program) {
    if (program.expectation.Allows(device_kind, std::nullopt) ||
        BuildsAnExtension(program))
      return true;
    return !seen.insert(program.family).second;
  });
}

// Attempts name a twin; the others of their folder are the twins.
// `device_kind` is of no matter where all are wanted.
Result<Group> LoadGroup(const SelftestOptions& options, const std::string& name,
                        const std::string& device_kind) {
  KB_ASSIGN(const std::string root, os::InstallRoot());
  const std::string folder = root + "/corpus/" + name;
  Group group{name, {}, {}};
  KB_ASSIGN(group.programs, corpus::Load(folder, options.filter));
  const bool hostile = name == "hostile";
  std::erase_if(group.programs, [&](const Program& program) {
    return hostile && program.expectation.twin.empty();
  });
  if (options.quick) KeepFew(device_kind, &group.programs);
  if (!hostile) return group;
  std::set<std::string> seen;
  for (const Program& program : group.programs) {
    if (!seen.insert(corpus::TwinPath(program)).second) continue;
    KB_ASSIGN(Program twin, corpus::LoadTwin(program, folder));
    group.twins.push_back(std::move(twin));
  }
  return group;
}

// Every candidate that is judged, and where the twin of each program is among
// them.
class Plan {
 public:
  explicit Plan(const Workplace& workplace) : workplace_(workplace) {}

  Result<void> Add(const Group& group, bool honest_between);

  const std::vector<eval::Task>& tasks() const { return tasks_; }
  std::vector<corpus::Line> LinesOf(const Group& group,
                                    const workplace::Judged& judged) const;
  // Of the honest ones that were judged right after a hostile one: those that
  // fared otherwise than alone.
  std::vector<std::string> Harmed(const workplace::Judged& judged) const;

 private:
  Result<size_t> Add(const Program& program) {
    KB_ASSIGN(eval::Task task, TaskOf(program, workplace_));
    tasks_.push_back(std::move(task));
    return tasks_.size() - 1;
  }
  static const Evaluation* At(const workplace::Judged& judged, size_t index) {
    const auto& evaluation = judged.evaluations.at(index);
    return evaluation ? &*evaluation : nullptr;
  }

  const Workplace& workplace_;
  std::vector<eval::Task> tasks_;
  std::map<std::string, size_t> tasks_of_;  // by path
  struct Between {
    std::string after;
    size_t task = 0;
    size_t alone = 0;
  };
  std::vector<Between> between_;
};

Result<void> Plan::Add(const Group& group, bool honest_between) {
  std::map<std::string, const Program*> twins;
  for (const Program& twin : group.twins) {
    twins[twin.path] = &twin;
    KB_ASSIGN(tasks_of_[twin.path], Add(twin));
  }
  for (const Program& program : group.programs) {
    KB_ASSIGN(tasks_of_[program.path], Add(program));
    if (!honest_between || group.twins.empty()) continue;
    const std::string path = corpus::TwinPath(program);
    KB_ASSIGN(const size_t task, Add(*twins.at(path)));
    between_.push_back({program.name, task, tasks_of_.at(path)});
  }
  return base::Ok();
}

std::vector<corpus::Line> Plan::LinesOf(const Group& group,
                                        const workplace::Judged& judged) const {
  std::vector<corpus::Line> lines;
  for (const Program& program : group.programs) {
    const Evaluation* const own = At(judged, tasks_of_.at(program.path));
    const Evaluation* twin = nullptr;
    if (!program.expectation.twin.empty())
      twin = At(judged, tasks_of_.at(corpus::TwinPath(program)));
    lines.push_back(
        {&program, corpus::OutcomeOf(own, twin, workplace_.device_kind), own});
  }
  return lines;
}

std::vector<std::string> Plan::Harmed(const workplace::Judged& judged) const {
  std::vector<std::string> harmed;
  for (const Between& honest : between_) {
    const Evaluation* const after = At(judged, honest.task);
    const Evaluation* const alone = At(judged, honest.alone);
    if (after == nullptr || alone == nullptr) continue;
    const std::string fared =
        corpus::FaredOtherwise(*after, *alone, workplace_.device_kind);
    if (!fared.empty())
      harmed.push_back(fmt::format("after {}: {}", honest.after, fared));
  }
  return harmed;
}

std::string DescribeEnd(const corpus::Line& line) {
  const Evaluation& e = *line.evaluation;
  std::string text = workplace::NameOf(e.verdict);
  if (line.outcome.gain)
    text += fmt::format(", {:.2f}x its twin", *line.outcome.gain);
  return e.reason.empty() ? text : text + ": " + e.reason;
}

// What a person has to look at.
struct Findings {
  std::vector<std::string> bad;         // exit code 1
  std::vector<std::string> unexpected;  // stopped, but otherwise
};

void Find(const std::vector<corpus::Line>& lines, bool hostile,
          const std::string& device_kind, Findings* findings) {
  for (const corpus::Line& line : lines) {
    const std::string& name = line.program->name;
    if (line.evaluation == nullptr) {
      findings->bad.push_back(fmt::format("not judged: {}", name));
      continue;
    }
    const std::string end = DescribeEnd(line);
    const auto& verdict = line.evaluation->verdict;
    if (line.outcome.kind == Kind::kGained)
      findings->bad.push_back(fmt::format("gained: {}: {}", name, end));
    else if (line.outcome.kind == Kind::kNotJudged && hostile)
      findings->bad.push_back(fmt::format("not judged: {}: {}", name, end));
    else if (!hostile && verdict && verdict != record::Verdict::kCorrect)
      findings->bad.push_back(fmt::format("false alarm: {}: {}", name, end));
    else if (!line.program->expectation.Allows(device_kind, verdict))
      findings->unexpected.push_back(fmt::format(
          "otherwise than expected ({}): {}: {}",
          line.program->expectation.Describe(device_kind), name, end));
  }
}

Json ToJson(const corpus::Line& line) {
  const auto& outcome = line.outcome;
  return {{"file", line.program->name},
          {"family", line.program->family},
          {"tricks", line.program->expectation.tricks},
          {"stopped_by", outcome.layer ? Json(corpus::LayerName(*outcome.layer))
                                       : Json(nullptr)},
          {"gain", outcome.gain ? Json(*outcome.gain) : Json(nullptr)},
          {"gained", outcome.kind == Kind::kGained},
          {"evaluation", line.evaluation == nullptr
                             ? Json(nullptr)
                             : record::ToJson(*line.evaluation)}};
}

Json ToJson(const std::vector<corpus::Line>& lines) {
  Json list = Json::array();
  for (const corpus::Line& line : lines) list.push_back(ToJson(line));
  return list;
}

void Print(const std::vector<corpus::Line>& hostile,
           const std::vector<corpus::Line>& legitimate,
           const Findings& findings) {
  if (!hostile.empty()) fmt::print("{}", corpus::HostileTable(hostile));
  if (!hostile.empty() && !legitimate.empty()) fmt::print("\n");
  if (!legitimate.empty())
    fmt::print("{}", corpus::LegitimateTable(legitimate));
  for (const std::string& line : findings.bad) fmt::print("{}\n", line);
  for (const std::string& line : findings.unexpected) fmt::print("{}\n", line);
  fmt::print("{} of {} failed, {} otherwise than expected\n",
             findings.bad.size(),
             html::CountOf(hostile.size() + legitimate.size(), "program"),
             findings.unexpected.size());
}

Result<std::vector<Group>> LoadGroups(const SelftestOptions& options,
                                      const std::string& device_kind) {
  std::vector<Group> groups;
  for (const auto& [wanted, name] :
       {std::pair(options.hostile, "hostile"),
        std::pair(options.legitimate, "legitimate")}) {
    if (!wanted) continue;
    KB_ASSIGN(Group group, LoadGroup(options, name, device_kind));
    groups.push_back(std::move(group));
  }
  if (std::ranges::all_of(
          groups, [](const Group& group) { return group.programs.empty(); }))
    return base::Usage("--filter {}: no program's path contains it",
                       options.filter);
  return groups;
}

}  // namespace

Result<ExitCode> RunCorpus(const SelftestOptions& options) {
  KB_ASSIGN(const Workplace workplace, workplace::SetUp(options.judge));
  KB_ASSIGN(const auto groups, LoadGroups(options, workplace.device_kind));
  Plan plan(workplace);
  for (const Group& group : groups)
    KB_TRY(plan.Add(group, options.honest_between));
  os::Note(fmt::format("judging {} on {}, isolation {}",
                       html::CountOf(plan.tasks().size(), "program"),
                       workplace.session.lanes.front().device,
                       workplace.session.isolation));
  const workplace::Judged judged =
      workplace::Judge(plan.tasks(), workplace, options.judge.store,
                       options.honest_between ? workplace::Order::kAsGiven
                                              : workplace::Order::kAny);
  std::vector<corpus::Line> hostile, legitimate;
  Findings findings;
  for (const Group& group : groups) {
    const bool is_hostile = group.name == "hostile";
    auto& lines = is_hostile ? hostile : legitimate;
    lines = plan.LinesOf(group, judged);
    Find(lines, is_hostile, workplace.device_kind, &findings);
  }
  for (std::string& text : plan.Harmed(judged))
    findings.bad.push_back(std::move(text));
  if (options.judge.json)
    fmt::print(
        "{}\n",
        base::DumpJson(record::Document("selftest_corpus",
                                        {{"version", KB_VERSION},
                                         {"device", workplace.device_kind},
                                         {"hostile", ToJson(hostile)},
                                         {"legitimate", ToJson(legitimate)},
                                         {"failed", findings.bad},
                                         {"unexpected", findings.unexpected}}),
                       2));
  else
    Print(hostile, legitimate, findings);
  if (judged.interrupted) fmt::print(stderr, "interrupted\n");
  if (judged.interrupted || judged.error) return workplace::ExitCodeOf(judged);
  return findings.bad.empty() ? ExitCode::kDone : ExitCode::kNo;
}

Result<ExitCode> ExportCorpus(const SelftestOptions& options) {
  SelftestOptions all = options;
  all.hostile = all.legitimate = true;
  all.quick = false;
  KB_ASSIGN(const auto groups, LoadGroups(all, ""));
  KB_TRY(corpus::Export(groups, options.export_folder));
  fmt::print("{} and {} in {}\n",
             html::CountOf(groups[0].programs.size(), "attempt"),
             html::CountOf(groups[1].programs.size(), "honest program"),
             options.export_folder);
  return ExitCode::kDone;
}

}  // namespace kb::cli
