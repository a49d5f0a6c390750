#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/json.h"
#include "base/result.h"

namespace kb::record {

// What becomes of the drawn inputs in a trial of its own (docs/policies.md).
// All but kZipf change floating inputs, kZipf integer ones that look like ids.
enum class Distribution {
  kLongTail,  // magnitudes with the tail of a Student-t with 2 degrees, signs
  kLarge,     // 128 times as large, signs: large logits
  kNegative,  // all of them negative
  kPositive,  // all of them positive
  kNearZero,  // a 16th is zero, another 16th denormal
  kRepeated,  // rows equal to the one before, and constant rows
  kZipf,      // few ids make most of them
  kAsGiven,   // as the problem draws them, where a policy mixes its inputs
};
inline constexpr size_t kDistributions = 8;
const char* DistributionName(Distribution distribution);  // "long_tail"
std::optional<Distribution> ParseDistribution(const std::string& name);

// What a candidate was tried on besides the inputs that the problem draws at
// the size that is run.
struct Outside {
  enum class Outcome {
    kRight,
    kWrong,    // or it failed: `reason` says how
    kLeftOut,  // says nothing of a candidate here: `reason` says why
  };
  struct Case {
    std::string name;  // of a distribution, or "batch_size = 65"
    Outcome outcome = Outcome::kLeftOut;
    std::string reason;
    bool operator==(const Case&) const = default;
  };
  std::vector<Case> distributions;
  std::vector<Case> sizes;  // hidden ones
  // Why there was no hidden size to try; else empty.
  std::string no_sizes;

  // Right at the size that is shown, and wrong at a hidden one.
  bool shape_specialised() const;
  bool operator==(const Outside&) const = default;
};
const char* OutcomeName(Outside::Outcome outcome);  // "left_out"

base::Json ToJson(const Outside::Case& one);
base::Result<Outside::Case> OutsideCaseFromJson(const base::Json& json);
base::Json ToJson(const Outside& outside);
base::Result<Outside> OutsideFromJson(const base::Json& json);

// "right on long_tail, large; left out: repeated (why)"
std::string Describe(const std::vector<Outside::Case>& cases);

}  // namespace kb::record
