#include "record/decision.h"

#include "base/words.h"

namespace kb::record {
namespace {

using base::Json;
using base::Result;

constexpr base::Words<AskKind, 7> kKinds{{{AskKind::kGiven, "given"},
                                          {AskKind::kFirst, "first"},
                                          {AskKind::kRefine, "refine"},
                                          {AskKind::kIdea, "idea"},
                                          {AskKind::kProgram, "program"},
                                          {AskKind::kMutation, "mutation"},
                                          {AskKind::kCrossover, "crossover"}}};

}  // namespace

const char* AskKindName(AskKind kind) { return kKinds.Of(kind); }

std::optional<AskKind> ParseAskKind(const std::string& name) {
  return kKinds.Parse(name);
}

Json ToJson(const Ask& ask) {
  return {{"turn", ask.turn},
          {"kind", AskKindName(ask.kind)},
          {"parents", ask.parents},
          {"place", ask.place}};
}

Result<Ask> AskFromJson(const Json& json) {
  Ask ask;
  KB_ASSIGN(ask.turn, base::Get<int64_t>(json, "turn"));
  KB_ASSIGN(const std::string kind, base::Get<std::string>(json, "kind"));
  const auto known = ParseAskKind(kind);
  if (!known)
    return base::Fail("\"{}\" is no kind of ask; there are {}", kind,
                      kKinds.List());
  ask.kind = *known;
  KB_ASSIGN(ask.parents, base::Get<std::vector<int64_t>>(json, "parents"));
  KB_ASSIGN(ask.place, base::Get<std::string>(json, "place"));
  return ask;
}

Json ToJson(const Told& told) {
  return {{"turn", told.turn},
          {"status", GenerationStatusName(told.status)},
          {"verdict",
           told.verdict ? Json(VerdictName(*told.verdict)) : Json(nullptr)},
          {"speedup", told.speedup ? Json(*told.speedup) : Json(nullptr)},
          {"approaches", told.approaches},
          {"seconds", told.seconds}};
}

Result<Told> ToldFromJson(const Json& json) {
  Told told;
  KB_ASSIGN(told.turn, base::Get<int64_t>(json, "turn"));
  KB_ASSIGN(const std::string status, base::Get<std::string>(json, "status"));
  const auto known = ParseGenerationStatus(status);
  if (!known) return base::Fail("\"{}\" is no status", status);
  told.status = *known;
  if (const auto found = json.find("verdict");
      found != json.end() && !found->is_null()) {
    KB_ASSIGN(const std::string name, base::Get<std::string>(json, "verdict"));
    told.verdict = ParseVerdict(name);
    if (!told.verdict) return base::Fail("\"{}\" is no verdict", name);
  }
  if (const auto found = json.find("speedup");
      found != json.end() && !found->is_null()) {
    KB_ASSIGN(told.speedup, base::Get<double>(json, "speedup"));
  }
  KB_ASSIGN(told.approaches,
            base::Get<std::vector<std::string>>(json, "approaches"));
  KB_ASSIGN(told.seconds, base::Get<double>(json, "seconds"));
  return told;
}

}  // namespace kb::record
