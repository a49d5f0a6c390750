#include "run/knowledge.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <iterator>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "analysis/certify.h"
#include "base/hash.h"
#include "record/timing.h"
#include "run/conversation.h"
#include "run/files.h"
#include "search/approach.h"
#include "store/store.h"

namespace kb::run {
namespace {

using base::Result;
using record::Decision;
using record::Outcome;
using record::Verdict;

// --- Programs in a store ---

// The best of a problem so far.
struct Found {
  size_t run = 0;
  Outcome outcome;
  double speedup = 0;
};

bool IsFast(const Outcome& outcome) {
  return outcome.verdict == Verdict::kCorrect && outcome.speedup &&
         *outcome.speedup > 1 && outcome.ruler == record::kRulerVersion;
}

// Those that count, with the speedup of their last judgement: a program that
// was chosen and judged once more must be fast both times.
std::vector<Found> FastOnes(size_t run, std::vector<Outcome> outcomes) {
  using Key = std::tuple<std::string, std::string, std::string, int64_t,
                         int64_t, std::string>;
  std::map<Key, std::map<bool, Outcome>> turns;  // by Outcome::confirms
  for (Outcome& outcome : outcomes) {
    analysis::RefuseImpossible(&outcome);
    const Key key(outcome.problem_id, outcome.problem_hash, outcome.model,
                  outcome.sample, outcome.turn,
                  outcome.sample < 0 ? outcome.candidate_hash : "");
    turns[key][outcome.confirms] = std::move(outcome);
  }
  std::vector<Found> found;
  for (auto& [key, judged] : turns) {
    if (!std::ranges::all_of(
            judged, [](const auto& each) { return IsFast(each.second); }))
      continue;
    Outcome& last = judged.rbegin()->second;
    const double speedup = *last.speedup;
    found.push_back({run, std::move(last), speedup});
  }
  return found;
}

// Whether it is written for that backend: as its run says, else by its file.
bool IsFor(const std::string& backend, const std::string& extension,
           const std::map<std::string, std::string>& manifest,
           const Outcome& outcome) {
  if (const auto said = manifest.find("backend"); said != manifest.end())
    return said->second == backend;
  return std::filesystem::path(outcome.candidate_name).extension() == extension;
}

// The very problem that it was judged on; none: the pack has it no more, and
// its tags would say nothing.
std::optional<record::Problem> ProblemOf(const problems::Pack& pack,
                                         const Outcome& outcome) {
  std::vector<record::Size> sizes{outcome.size};
  if (outcome.size == record::Size::kFitted)
    sizes = {record::Size::kFull, record::Size::kSmall};
  for (const record::Size& size : sizes) {
    auto problem = pack.Load(outcome.problem_id, size);
    if (problem && problem->Hash() == outcome.problem_hash)
      return std::move(*problem);
  }
  return std::nullopt;
}

// --- What is known of a program ---

std::string ResultText(const record::Told& told) {
  if (!told.verdict) return "not a program";
  if (told.speedup && told.verdict == Verdict::kCorrect)
    return fmt::format("{:.2f}x", *told.speedup);
  return record::VerdictName(*told.verdict);
}

// What its parents were and had not, where its search has a log.
void AddLastStep(const Outcome& outcome, const std::vector<Decision>& log,
                 const std::vector<std::string>& approaches,
                 prompt::Lesson* lesson) {
  std::vector<int64_t> parents;
  std::map<int64_t, record::Told> told;
  for (const Decision& line : log) {
    if (line.model != outcome.model || line.sample != outcome.sample ||
        line.problem_hash != outcome.problem_hash)
      continue;
    if (line.ask && line.ask->turn == outcome.turn) parents = line.ask->parents;
    if (line.told) told[line.told->turn] = *line.told;
  }
  std::set<std::string> before;
  const record::Told* best = nullptr;
  for (const int64_t parent : parents) {
    const auto found = told.find(parent);
    if (found == told.end() || !found->second.verdict) continue;
    before.insert(found->second.approaches.begin(),
                  found->second.approaches.end());
    if (best == nullptr || found->second.speedup > best->speedup)
      best = &found->second;
  }
  if (best == nullptr) return;
  std::vector<std::string> added;
  std::ranges::copy_if(
      approaches, std::back_inserter(added),
      [&](const std::string& approach) { return !before.contains(approach); });
  lesson->added = fmt::format("{}", fmt::join(added, ", "));
  lesson->before = ResultText(*best);
}

Result<KnownProgram> ProgramOf(const Found& found, const std::string& run,
                               const store::Store& store,
                               const record::Problem& problem) {
  store::Filter filter;
  filter.id = found.outcome.id;
  KB_ASSIGN(const auto evaluations, store.Evaluations(filter));
  if (evaluations.empty())
    return base::Fail("{}: evaluation {} is gone", run, found.outcome.id);
  const std::string& source = evaluations.front().candidate.source;
  KnownProgram known;
  known.program = {base::Sha256(source), run, problem.id, found.outcome.sample,
                   found.outcome.turn};
  known.name = problem.name;
  known.tags = problem.tags;
  known.speedup = found.speedup;
  prompt::Lesson& lesson = known.lesson;
  lesson.name = problem.name.empty() ? problem.id : problem.name;
  lesson.speedup = fmt::format("{:.2f}x", found.speedup);
  lesson.device = found.outcome.device_name;
  lesson.source = source;
  lesson.reference = problem.source;
  const auto approaches = search::ApproachesOf(source);
  lesson.approaches = fmt::format("{}", fmt::join(approaches, ", "));
  KB_ASSIGN(const auto log, store.Decisions(problem.id));
  AddLastStep(found.outcome, log, approaches, &lesson);
  return known;
}

// --- Which serve a problem ---

std::vector<std::string> SharedTags(const record::Problem& problem,
                                    const KnownProgram& program) {
  std::vector<std::string> shared;
  for (const std::string& tag : problem.tags)
    if (std::ranges::find(program.tags, tag) != program.tags.end())
      shared.push_back(tag);
  return shared;
}

bool IsOf(const record::Problem& problem, const KnownProgram& program) {
  return program.program.problem_id == problem.id ||
         (!problem.name.empty() && program.name == problem.name);
}

}  // namespace

std::vector<const KnownProgram*> RankedFor(
    const record::Problem& problem, const std::vector<KnownProgram>& programs,
    bool own) {
  // Larger is better; of equals the first stays first.
  using Use = std::tuple<size_t, double, double>;
  std::vector<std::pair<Use, const KnownProgram*>> useful;
  for (const KnownProgram& program : programs) {
    const size_t shared = SharedTags(problem, program).size();
    if (shared == 0 || (!own && IsOf(problem, program))) continue;
    const size_t all = problem.tags.size() + program.tags.size() - shared;
    const double share = static_cast<double>(shared) / static_cast<double>(all);
    useful.push_back({{shared, share, program.speedup}, &program});
  }
  std::ranges::stable_sort(useful, std::greater(),
                           &std::pair<Use, const KnownProgram*>::first);
  std::vector<const KnownProgram*> ranked;
  for (const auto& [use, program] : useful) ranked.push_back(program);
  return ranked;
}

Result<Knowledge> Knowledge::Read(const KnowledgePlan& plan,
                                  const prompt::KnowledgeWriter& writer,
                                  const problems::Pack& pack) {
  Knowledge knowledge(plan, writer);
  store::Filter filter;
  filter.without_problems.assign(plan.held_out.begin(), plan.held_out.end());
  std::vector<store::Store> stores;
  std::map<std::string, std::pair<Found, record::Problem>> best;  // by problem
  for (const std::string& run : plan.runs) {
    KB_ASSIGN(store::Store store, OpenRun(RunPath(run)));
    KB_ASSIGN(const auto manifest, store.Manifest());
    KB_ASSIGN(auto outcomes, store.Outcomes(filter));
    for (Found& found : FastOnes(stores.size(), std::move(outcomes))) {
      const Outcome& outcome = found.outcome;
      if (!IsFor(plan.backend, writer.extension(), manifest, outcome)) continue;
      const auto known = best.find(outcome.problem_id);
      if (known != best.end() && known->second.first.speedup >= found.speedup)
        continue;
      auto problem = ProblemOf(pack, outcome);
      if (!problem) continue;
      const std::string id = outcome.problem_id;
      best.insert_or_assign(id,
                            std::pair(std::move(found), std::move(*problem)));
    }
    stores.push_back(std::move(store));
  }
  for (const auto& [id, program] : best) {
    const auto& [found, problem] = program;
    KB_ASSIGN(KnownProgram known, ProgramOf(found, plan.runs[found.run],
                                            stores[found.run], problem));
    knowledge.programs_.push_back(std::move(known));
  }
  if (!knowledge.programs_.empty()) return knowledge;
  return base::Usage(
      "--knowledge {}: no program for {} there is correct and faster than "
      "eager PyTorch, on a problem of this pack that is not held out",
      fmt::join(plan.runs, " "), plan.backend);
}

KnowledgeBlock Knowledge::For(const record::Problem& problem) const {
  const auto most = static_cast<size_t>(plan_.tokens * kBytesPerToken);
  std::vector<prompt::Lesson> lessons;
  KnowledgeBlock block;
  for (const KnownProgram* known :
       RankedFor(problem, programs_, plan_.own_problem)) {
    prompt::Lesson lesson = known->lesson;
    lesson.tags =
        fmt::format("{}", fmt::join(SharedTags(problem, *known), ", "));
    for (const bool with_reference : {true, false}) {
      if (!with_reference) lesson.reference.clear();
      lessons.push_back(lesson);
      std::string text = writer_.Write(lessons);
      if (text.size() <= most) {
        block.text = std::move(text);
        block.shown.push_back(known->program);
        break;
      }
      lessons.pop_back();
    }
  }
  return block;
}

std::string Knowledge::Hash() const {
  base::KeyBuilder key;
  key.Add(writer_.Hash());
  key.Add(fmt::format("{} {}", plan_.tokens, plan_.own_problem));
  for (const KnownProgram& known : programs_) {
    key.Add(known.program.problem_id);
    key.Add(known.program.hash);
    key.Add(known.lesson.speedup);
    key.Add(known.lesson.added + "\n" + known.lesson.before);
    key.Add(known.lesson.reference);
    key.Add(fmt::format("{}", fmt::join(known.tags, " ")));
  }
  return key.Finish().substr(0, 16);
}

}  // namespace kb::run
