#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/json.h"
#include "base/result.h"

namespace kb::record {

// Tokens as the provider counted them. Cached ones are part of `input`,
// reasoning ones part of `output`.
struct Usage {
  int64_t input = 0;
  int64_t cached = 0;
  int64_t output = 0;
  int64_t reasoning = 0;
  bool operator==(const Usage&) const = default;
};

// What became of one question to a model.
enum class GenerationStatus {
  kComplete,   // there is code in the answer
  kTruncated,  // the answer ends in the middle of the code
  kNoCode,     // an answer without code
  kRefused,    // the model or its provider would not answer
  kFailed,     // an answer that cannot be used: malformed, too large
};
const char* GenerationStatusName(GenerationStatus status);  // "no_code"
std::optional<GenerationStatus> ParseGenerationStatus(const std::string& name);

// What a turn's question showed of the turns before it.
struct History {
  std::string policy;            // "best-and-last"
  std::vector<int64_t> kept;     // turns whose answer and feedback were sent
  std::vector<int64_t> dropped;  // turns that were not
  bool operator==(const History&) const = default;
};
base::Json ToJson(const History& history);
base::Result<History> HistoryFromJson(const base::Json& json);

// A program that a question contained.
struct ShownProgram {
  std::string hash;  // SHA-256 of its source, hexadecimal
  // Whose sample wrote it; "": the run's own, and then this very sample.
  std::string run;
  std::string problem_id;
  int64_t sample = 0;
  int64_t turn = 1;
  bool operator==(const ShownProgram&) const = default;
};
base::Json ToJson(const ShownProgram& program);
base::Json ToJson(const std::vector<ShownProgram>& programs);
base::Result<std::vector<ShownProgram>> ShownProgramsFromJson(
    const base::Json& json);

// One answer of a model. Never holds a key.
struct Generation {
  std::string problem_id;
  std::string problem_hash;
  int64_t sample = 0;        // 0, 1, ... of this problem
  int64_t turn = 1;          // of the conversation that the sample is
  std::string model;         // its name in models.toml
  std::string served_model;  // as the provider called it
  // Of turn 1 all that was sent, as text; of a later one its last message.
  std::string prompt;
  std::string answer;
  std::string reasoning;  // what the provider shows of it
  // The answer as its API wants it back in a later turn, JSON; empty: as text.
  std::string state;
  std::optional<History> history;  // of later turns
  // Programs in the question, messages before it included; none: not known.
  std::optional<std::vector<ShownProgram>> shown;
  GenerationStatus status = GenerationStatus::kFailed;
  // One line: why it is not complete, or why its tokens are not counted.
  std::string reason;
  std::string candidate_name;  // "answer.cu"; empty without code
  std::string source;          // the code, empty without
  Usage usage;
  std::optional<double> usd;  // absent: the price or the usage is not known
  double seconds = 0;         // of the request that was answered
  int64_t attempts = 1;       // requests, this one included
  std::string started_at;     // UTC, ISO 8601
  bool operator==(const Generation&) const = default;
};
base::Json ToJson(const Usage& usage);
base::Json ToJson(const Generation& generation);

}  // namespace kb::record
