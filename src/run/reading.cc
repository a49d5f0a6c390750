#include "run/reading.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "analysis/baseline.h"
#include "analysis/certify.h"
#include "analysis/rulers.h"
#include "analysis/turns.h"
#include "devices.h"
#include "missing.h"
#include "os/files.h"
#include "policies.h"
#include "prompt/prompt.h"
#include "run/files.h"

namespace kb::run {
namespace {

namespace fs = std::filesystem;
using analysis::RunReading;
using base::Result;

// Names of runs: the files' names, or their whole paths where two are the same.
std::vector<std::string> NamesOfRuns(const std::vector<std::string>& paths) {
  std::map<std::string, int> uses;
  for (const std::string& path : paths) ++uses[fs::path(path).stem()];
  std::vector<std::string> names;
  for (const std::string& path : paths) {
    const std::string stem = fs::path(path).stem();
    names.push_back(uses[stem] == 1 ? stem : path);
  }
  return names;
}

// A run that is named twice would count twice.
Result<void> CheckNamedOnce(const std::vector<std::string>& paths) {
  std::map<std::string, std::string> seen;
  std::error_code ignored;
  for (const std::string& path : paths) {
    const std::string place = fs::weakly_canonical(path, ignored);
    const auto [other, fresh] = seen.emplace(place, path);
    if (!fresh && other->second != path)
      return base::Usage("{} and {} are the same store: name it once", path,
                         other->second);
    if (!fresh) return base::Usage("{} is named twice: name it once", path);
  }
  return base::Ok();
}

// What a pack says of outcomes' problems, looked up once each.
class Facts {
 public:
  explicit Facts(const problems::Pack& pack) : pack_(pack) {
    for (const problems::Entry& entry : pack.List()) known_[entry.id] = &entry;
    if (const auto root = os::InstallRoot())
      prompts_ = *root + "/share/prompts";
  }

  // Names its policy by the values: those of its own, or else of the run.
  void NamePolicy(const std::map<std::string, record::Policy>& policies,
                  const std::optional<record::Policy>& of_run,
                  record::Outcome* outcome) const {
    record::Problem problem;
    if (const auto found = known_.find(outcome->problem_id);
        found != known_.end()) {
      const problems::Entry& entry = *found->second;
      problem.tolerances = entry.tolerances;
      problem.inputs_as_given = entry.inputs_as_given;
      problem.random_forward =
          std::ranges::find(entry.tags, "random_forward") != entry.tags.end();
    }
    const record::Precision precision = outcome->precision;
    if (const auto own = policies.find(outcome->policy_hash);
        own != policies.end())
      outcome->policy = problem.NameOf(own->second, precision);
    else if (of_run && outcome->policy == of_run->name)
      outcome->policy =
          problem.NameOf(problem.Adjusted(*of_run, precision), precision);
  }

  void AddTo(analysis::Entry* entry) {
    const record::Outcome& outcome = entry->outcome;
    const auto found = known_.find(outcome.problem_id);
    if (found == known_.end()) return;
    entry->tags = found->second->tags;
    entry->flagged = std::ranges::any_of(
        found->second->flags, [&](const record::Flag& flag) {
          return flag.Holds(outcome.precision, outcome.size, outcome.policy);
        });
    if (!outcome.candidate_us) return;
    const auto cost = CostOf(outcome);
    auto roofline = Measured(outcome, outcome.precision);
    if (!roofline) roofline = SheetOf(outcome.device_name, outcome.precision);
    if (!cost || !roofline) return;
    entry->roofline =
        analysis::RooflineShare(*cost, *roofline, *outcome.candidate_us);
    entry->by_data_sheet = !roofline->measured;
  }

  // Says of which entries the least time is known, whatever became of them: by
  // the ceilings that any result of the run carries, or by the data sheet of
  // its device. Each run is of one device.
  void AddCeilings(std::vector<analysis::Entry>* entries) {
    using enum record::Precision;
    std::set<std::pair<std::string, record::Precision>> known;  // by run
    for (const analysis::Entry& entry : *entries)
      for (const record::Precision precision : {kFp32, kFp16, kBf16})
        if (!known.contains({entry.run, precision}) &&
            HasRoofline(entry, precision))
          known.emplace(entry.run, precision);
    for (analysis::Entry& entry : *entries)
      entry.has_ceiling =
          known.contains({entry.run, entry.outcome.precision}) &&
          CostOf(entry.outcome).has_value();
  }

 private:
  // In the outcome's precision; none also where the problem mixes several.
  std::optional<record::Cost> CostOf(const record::Outcome& outcome) const {
    const auto found = known_.find(outcome.problem_id);
    if (found == known_.end()) return std::nullopt;
    auto cost = pack_.CostOf(outcome.problem_id, outcome.size);
    if (outcome.precision == found->second->given) return cost;
    if (found->second->given != record::Precision::kFp32) return std::nullopt;
    if (cost) cost->compulsory_bytes /= 2;  // labels and indices stay as large
    return cost;
  }

  static std::optional<analysis::Roofline> Measured(
      const record::Outcome& outcome, record::Precision precision) {
    return analysis::RooflineAt(precision, outcome.device_name,
                                outcome.ceilings, true);
  }

  std::optional<analysis::Roofline> SheetOf(const std::string& device_name,
                                            record::Precision precision) {
    const auto [sheet, fresh] = sheets_.try_emplace({device_name, precision});
    if (fresh) sheet->second = RooflineOf(prompts_, device_name, precision);
    return sheet->second;
  }

  // Of the device that the entry met or that was asked.
  bool HasRoofline(const analysis::Entry& entry, record::Precision precision) {
    const auto has_sheet = [&](const std::string& device_name) {
      return SheetOf(device_name, precision).has_value();
    };
    return Measured(entry.outcome, precision) ||
           has_sheet(entry.outcome.device_name) ||
           std::ranges::any_of(entry.asked_on, has_sheet);
  }

  const problems::Pack& pack_;
  std::string prompts_;
  std::map<std::string, const problems::Entry*> known_;
  std::map<std::pair<std::string, record::Precision>,
           std::optional<analysis::Roofline>>
      sheets_;  // by device and precision
};

// What has no result was to be judged by the policy of those that have one: of
// its problem in its setting, else of all its run. A merged store's runs may
// have had several.
void NamePolicyOfMissing(std::vector<analysis::Entry>* entries) {
  using Place = std::tuple<std::string, record::Size, record::Precision>;
  const auto place_of = [](const record::Outcome& o) {
    return Place(o.problem_id, o.size, o.precision);
  };
  std::map<Place, std::set<std::string>> at;
  std::set<std::string> all;
  const auto has_result = [](const analysis::Entry& entry) {
    return !entry.missing && !entry.outcome.unusable;
  };
  for (const analysis::Entry& entry : *entries)
    if (has_result(entry)) {
      at[place_of(entry.outcome)].insert(entry.outcome.policy);
      all.insert(entry.outcome.policy);
    }
  for (analysis::Entry& entry : *entries) {
    record::Outcome& outcome = entry.outcome;
    if (has_result(entry) || !outcome.policy.empty()) continue;
    const auto found = at.find(place_of(outcome));
    const auto& policies = found == at.end() ? all : found->second;
    if (policies.size() == 1) outcome.policy = *policies.begin();
  }
}

Result<void> ReadOne(const std::string& path, const std::string& name,
                     Facts* facts, RunReading* reading) {
  KB_ASSIGN(const store::Store store, OpenRun(path));
  KB_ASSIGN(const auto manifest, store.Manifest());
  KB_ASSIGN(std::vector<record::Outcome> outcomes, store.Outcomes());
  KB_ASSIGN(const Asked asked, Asked::Of(store, manifest));
  KB_ASSIGN(const auto policies, store.Policies());
  KB_ASSIGN(const auto of_run, BegunPolicy(manifest));
  std::vector<analysis::Entry> entries;
  const auto add = [&](record::Outcome outcome) {
    analysis::Entry& entry = entries.emplace_back();
    entry.outcome = std::move(outcome);
    entry.seconds = asked.SecondsOf(entry.outcome);
    entry.answers = asked.AnswersOf(entry.outcome);
    analysis::RefuseImpossible(&entry.outcome);
  };
  for (record::Outcome& outcome : outcomes) {
    if (outcome.unusable)
      std::ranges::for_each(asked.Placed(std::move(outcome)), add);
    else
      add(std::move(outcome));
  }
  std::ranges::move(asked.MissingFrom(entries), std::back_inserter(entries));
  for (analysis::Entry& entry : entries)
    facts->NamePolicy(policies, of_run, &entry.outcome);
  NamePolicyOfMissing(&entries);
  for (analysis::Entry& entry : entries) {
    entry.run = name;
    entry.asked_on = asked.DevicesOf(entry.outcome);
    facts->AddTo(&entry);
    reading->entries.push_back(std::move(entry));
  }
  KB_ASSIGN(const std::vector<record::Baseline> baselines, store.Baselines());
  reading->baselines.insert(reading->baselines.end(), baselines.begin(),
                            baselines.end());
  reading->manifests.push_back(manifest);
  return base::Ok();
}

// Leaves one ruler's results and baselines, or says why it cannot.
Result<void> SettleRuler(RunReading* reading) {
  reading->superseded = analysis::DropSuperseded(&reading->entries);
  KB_ASSIGN(reading->ruler, analysis::RulerOf(reading->entries));
  reading->foreign = analysis::CountForeign(reading->entries);
  // Where nothing was timed, any ruler's would do; today's will be asked for.
  const int64_t wanted =
      reading->ruler == 0 ? record::kRulerVersion : reading->ruler;
  std::erase_if(reading->baselines, [&](const record::Baseline& baseline) {
    return baseline.ruler != wanted;
  });
  return base::Ok();
}

// Leaves one entry of each sample, and what there was after each turn. Turns
// are chosen by the speedup over eager, whatever scores are over.
void SettleTurns(const std::vector<record::BaselineMode>& modes,
                 RunReading* reading) {
  const std::vector<analysis::Entry> all = std::move(reading->entries);
  const std::vector<int64_t> turns = analysis::TurnsToShow(all);
  for (const int64_t turn : turns) {
    auto folded = analysis::FoldTurns(all, turn, analysis::Figure::kChosenBy);
    for (analysis::Entry& entry : folded) analysis::AddCosts(turn, &entry);
    analysis::Rebase(&folded, reading->baselines, modes);
    reading->by_turn.push_back({turn, std::move(folded)});
  }
  reading->entries = analysis::FoldTurns(all, turns.empty() ? 1 : turns.back(),
                                         analysis::Figure::kConfirmed);
  // Also of answers that were not judged before the run ended.
  for (analysis::Entry& entry : reading->entries)
    analysis::AddCosts(std::numeric_limits<int64_t>::max(), &entry);
  reading->optimism = analysis::OptimismOf(reading->entries);
}

// What was measured for other runs comes first: a run's own count more.
Result<void> ReadSharedBaselines(RunReading* reading) {
  const auto path = BaselineStorePath();
  std::error_code error;
  if (!path || !fs::exists(*path, error)) return base::Ok();
  KB_ASSIGN(const store::Store store, OpenRun(*path));
  KB_ASSIGN(reading->baselines, store.Baselines());
  return base::Ok();
}

// No score counts what this baseline says nothing of.
void KeepThoseWithFla(const problems::Pack& pack, RunReading* reading) {
  std::set<std::string> ids;
  for (const problems::Entry& entry : pack.List())
    if (entry.has_fla) ids.insert(entry.id);
  std::erase_if(reading->entries, [&](const analysis::Entry& entry) {
    return !ids.contains(entry.outcome.problem_id);
  });
}

}  // namespace

Result<RunReading> ReadRuns(const std::vector<std::string>& runs,
                            const problems::Pack& pack,
                            const std::string& baseline) {
  RunReading reading;
  KB_ASSIGN(const auto modes, analysis::BaselineModesOf(baseline));
  reading.baseline = baseline;
  for (const std::string& run : runs) reading.paths.push_back(RunPath(run));
  KB_TRY(CheckNamedOnce(reading.paths));
  reading.names = NamesOfRuns(reading.paths);
  KB_TRY(ReadSharedBaselines(&reading));
  Facts facts(pack);
  for (size_t i = 0; i < runs.size(); ++i)
    KB_TRY(ReadOne(reading.paths[i], reading.names[i], &facts, &reading));
  if (modes == std::vector{record::BaselineMode::kFla})
    KeepThoseWithFla(pack, &reading);
  KB_TRY(SettleRuler(&reading));
  TakeDevicesApart(&reading);
  TakePoliciesApart(&reading);
  facts.AddCeilings(&reading.entries);
  SettleTurns(modes, &reading);
  reading.without_baseline =
      analysis::Rebase(&reading.entries, reading.baselines, modes);
  const auto has_speedup = [](const analysis::Entry& entry) {
    return entry.outcome.speedup.has_value();
  };
  if (reading.without_baseline > 0 &&
      std::ranges::none_of(reading.entries, has_speedup))
    return base::Usage(
        "--baseline {}: no time of it is known for any sample; measure it on "
        "the same device with kernelbench baseline --mode {}",
        baseline, record::BaselineModeName(modes.back()));
  return reading;
}

Result<std::vector<std::optional<record::Evaluation>>> EvaluationsOf(
    const std::vector<analysis::Entry>& entries, const store::Store& store) {
  KB_ASSIGN(const auto evaluations, store.Evaluations());
  KB_ASSIGN(const auto outcomes, store.Outcomes());
  // The same rows, in the same order; what came meanwhile is of no entry.
  std::map<int64_t, const record::Evaluation*> by_id;
  for (size_t i = 0; i < std::min(evaluations.size(), outcomes.size()); ++i)
    by_id[outcomes[i].id] = &evaluations[i];
  std::vector<std::optional<record::Evaluation>> found;
  for (const analysis::Entry& entry : entries) {
    const record::Outcome& outcome = entry.outcome;
    auto& evaluation = found.emplace_back();
    const auto row = by_id.find(outcome.id);
    if (entry.missing || outcome.unusable || row == by_id.end()) continue;
    evaluation = *row->second;
    if (evaluation->verdict == outcome.verdict) continue;
    evaluation->verdict = outcome.verdict;
    evaluation->reason = outcome.reason;
    evaluation->speedup.reset();
    evaluation->wall_speedup.reset();
  }
  return found;
}

std::optional<analysis::Roofline> RooflineOf(const std::string& prompts,
                                             const std::string& device_name,
                                             record::Precision precision) {
  const auto block = prompt::HardwareFor(prompts, device_name);
  if (!block || block->empty()) return std::nullopt;
  const auto facts = prompt::HardwareFacts(prompts, *block);
  if (!facts) return std::nullopt;
  const record::Ceilings ceilings{facts->bandwidth_gbps, facts->fp32_tflops,
                                  facts->tf32_tflops, facts->fp16_tflops,
                                  facts->bf16_tflops};
  return analysis::RooflineAt(precision, facts->name, ceilings, false);
}

}  // namespace kb::run
