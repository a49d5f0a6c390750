#include "run/replayed.h"

#include <filesystem>
#include <set>
#include <string>
#include <system_error>
#include <tuple>

namespace kb::run {
namespace {

using base::Result;
using record::Generation;

// Problem, its hash, sample, turn.
using Place = std::tuple<std::string, std::string, int64_t, int64_t>;

// The answers that searches began with, which are of no file.
Result<std::set<Place>> GivenIn(const store::Store& store) {
  KB_ASSIGN(const auto decisions, store.Decisions());
  std::set<Place> given;
  for (const record::Decision& line : decisions)
    if (line.ask && line.ask->kind == record::AskKind::kGiven)
      given.emplace(line.problem_id, line.problem_hash, line.sample,
                    line.ask->turn);
  return given;
}

// Whether the file is another one now. What cannot be read is not known, and
// what was no answer, as of a file that was too large, may be one now.
bool HasChanged(const Generation& kept, llm::Provider* provider) {
  if (kept.answer.empty()) return false;
  llm::Question question;
  question.problem_id = kept.problem_id;
  question.sample = kept.sample;
  question.turn = kept.turn;
  const auto reply = provider->Ask(question, [](const std::string&) {}, {});
  if (!reply) return reply.error().kind == llm::Failure::Kind::kExhausted;
  return reply->text != kept.answer;
}

}  // namespace

Result<void> CheckReplayed(const store::Store& store, const llm::Model& model,
                           llm::Provider* provider) {
  std::error_code gone;
  if (model.provider != llm::ProviderKind::kReplay ||
      !std::filesystem::is_directory(model.replay, gone))
    return base::Ok();
  KB_ASSIGN(const std::set<Place> given, GivenIn(store));
  store::GenerationFilter filter;
  filter.model = model.name;
  KB_ASSIGN(const auto generations, store.Generations(filter));
  for (const Generation& kept : generations)
    if (!given.contains(
            {kept.problem_id, kept.problem_hash, kept.sample, kept.turn}) &&
        HasChanged(kept, provider))
      return base::Usage(
          "{}: the folder has changed since the run began: another file, or "
          "none, is at the place of sample {} of {} now. Files that are added "
          "come after all others of their problem, in the order of their "
          "paths; put it back as it was, or name another --store",
          model.replay, kept.sample, kept.problem_id);
  return base::Ok();
}

}  // namespace kb::run
