#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "record/evaluation.h"
#include "record/generation.h"

namespace kb::record {

// What a search asks a model for.
enum class AskKind {
  kGiven,      // nothing: a program of an earlier run, where the search begins
  kFirst,      // a program for the problem
  kRefine,     // the next answer of a conversation; parents: its last answer
  kIdea,       // an approach in words; parents: none, or an idea and a program
  kProgram,    // the program of an idea; parents: the idea
  kMutation,   // another program; parents: the one it comes from
  kCrossover,  // a program that joins two; parents: these
};
const char* AskKindName(AskKind kind);  // "crossover"
std::optional<AskKind> ParseAskKind(const std::string& name);

// One request of a search. Its answer is that turn of the sample.
struct Ask {
  int64_t turn = 1;
  AskKind kind = AskKind::kFirst;
  std::vector<int64_t> parents;  // turns
  std::string place;             // in the strategy: "island 2"; may be empty
  bool operator==(const Ask&) const = default;
};
base::Json ToJson(const Ask& ask);
base::Result<Ask> AskFromJson(const base::Json& json);

// What became of it.
struct Told {
  int64_t turn = 1;
  GenerationStatus status = GenerationStatus::kFailed;
  std::optional<Verdict> verdict;       // absent: no program, or not run
  std::optional<double> speedup;        // by device time
  std::vector<std::string> approaches;  // search::ApproachesOf its program
  double seconds = 0;  // that the answer and its judgement took
  bool operator==(const Told&) const = default;
};
base::Json ToJson(const Told& told);
base::Result<Told> ToldFromJson(const base::Json& json);

// A line of a search's log: an ask, or what was told of one. Never both.
struct Decision {
  std::string problem_id;
  std::string problem_hash;
  std::string model;
  int64_t sample = 0;
  std::optional<Ask> ask;
  std::optional<Told> told;
  bool operator==(const Decision&) const = default;
};

}  // namespace kb::record
