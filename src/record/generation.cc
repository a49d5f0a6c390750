#include "record/generation.h"

#include "base/words.h"

namespace kb::record {
namespace {

using base::Json;

constexpr base::Words<GenerationStatus, 5> kStatuses{
    {{GenerationStatus::kComplete, "complete"},
     {GenerationStatus::kTruncated, "truncated"},
     {GenerationStatus::kNoCode, "no_code"},
     {GenerationStatus::kRefused, "refused"},
     {GenerationStatus::kFailed, "failed"}}};

}  // namespace

const char* GenerationStatusName(GenerationStatus status) {
  return kStatuses.Of(status);
}

std::optional<GenerationStatus> ParseGenerationStatus(const std::string& name) {
  return kStatuses.Parse(name);
}

Json ToJson(const Usage& usage) {
  return {{"input", usage.input},
          {"cached", usage.cached},
          {"output", usage.output},
          {"reasoning", usage.reasoning}};
}

Json ToJson(const History& history) {
  return {{"policy", history.policy},
          {"kept", history.kept},
          {"dropped", history.dropped}};
}

base::Result<History> HistoryFromJson(const Json& json) {
  History history;
  KB_ASSIGN(history.policy, base::Get<std::string>(json, "policy"));
  KB_ASSIGN(history.kept, base::Get<std::vector<int64_t>>(json, "kept"));
  KB_ASSIGN(history.dropped, base::Get<std::vector<int64_t>>(json, "dropped"));
  return history;
}

Json ToJson(const ShownProgram& program) {
  return {{"hash", program.hash},
          {"run", program.run},
          {"problem", program.problem_id},
          {"sample", program.sample},
          {"turn", program.turn}};
}

Json ToJson(const std::vector<ShownProgram>& programs) {
  Json list = Json::array();
  for (const ShownProgram& program : programs) list.push_back(ToJson(program));
  return list;
}

base::Result<std::vector<ShownProgram>> ShownProgramsFromJson(
    const Json& json) {
  if (!json.is_array()) return base::Fail("{}", "not a list of programs");
  std::vector<ShownProgram> programs;
  for (const Json& each : json) {
    ShownProgram& program = programs.emplace_back();
    KB_ASSIGN(program.hash, base::Get<std::string>(each, "hash"));
    KB_ASSIGN(program.run, base::Get<std::string>(each, "run"));
    KB_ASSIGN(program.problem_id, base::Get<std::string>(each, "problem"));
    KB_ASSIGN(program.sample, base::Get<int64_t>(each, "sample"));
    KB_ASSIGN(program.turn, base::Get<int64_t>(each, "turn"));
  }
  return programs;
}

Json ToJson(const Generation& generation) {
  return {
      {"problem", generation.problem_id},
      {"problem_hash", generation.problem_hash},
      {"sample", generation.sample},
      {"turn", generation.turn},
      {"model", generation.model},
      {"served_model", generation.served_model},
      {"prompt", generation.prompt},
      {"answer", generation.answer},
      {"reasoning", generation.reasoning},
      {"state", generation.state},
      {"history",
       generation.history ? ToJson(*generation.history) : Json(nullptr)},
      {"shown", generation.shown ? ToJson(*generation.shown) : Json(nullptr)},
      {"status", GenerationStatusName(generation.status)},
      {"reason", generation.reason},
      {"candidate_name", generation.candidate_name},
      {"source", generation.source},
      {"usage", ToJson(generation.usage)},
      {"usd", generation.usd ? Json(*generation.usd) : Json(nullptr)},
      {"seconds", generation.seconds},
      {"attempts", generation.attempts},
      {"started_at", generation.started_at}};
}

}  // namespace kb::record
