#pragma once

#include <optional>
#include <string>

namespace kb::record {

// What is finally said of a candidate (docs/verdicts.md).
enum class Verdict {
  kCorrect,
  kIncorrect,
  kCompileError,
  kLoadError,
  kRuntimeError,
  kTimeout,
  kOutOfMemory,
  kRejected,
  kNotCertified,
  kInfraError,
};
const char* VerdictName(Verdict verdict);  // "not_certified"
std::optional<Verdict> ParseVerdict(const std::string& name);

}  // namespace kb::record
