#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "record/tensor.h"

namespace kb::record {

// A standard wrong answer (hosts/mutants.py) put to a problem's test.
struct MutantResult {
  enum class Status {
    kKilled,         // found wrong: `detail` says how
    kSurvived,       // accepted in every trial
    kNotApplicable,  // means nothing for this problem
    kFailed,         // could not be computed: `detail` says why
  };
  std::string name;
  Status status = Status::kFailed;
  std::string detail;
  // The trial that found it wrong: "public", "secret", or a distribution;
  // empty: none did.
  std::string trial;
  // The smallest t with which |d| <= t + t * |expected| would accept it; none
  // where no tolerance would, or it was not compared.
  std::optional<double> least_tolerance;
  bool operator==(const MutantResult&) const = default;
};
const char* StatusName(MutantResult::Status status);

// What is found when a problem itself is examined.
struct Audit {
  std::vector<TensorSpec> inputs;
  std::vector<TensorSpec> outputs;
  uint64_t state_bytes = 0;  // parameters and buffers
  uint64_t peak_bytes = 0;   // of the device during forward; 0: unknown
  double flops = 0;          // of matrix products, convolutions and attention
  double reference_us = 0;   // median device time of the trials
  bool repeatable = true;    // the same inputs gave the same bits twice
  bool finite = true;        // no NaN or infinity in any trial
  // As of a mutant: what the reference itself, without TF32, needs against
  // float64. None: not measured.
  std::optional<double> honest_tolerance;
  std::vector<std::string> unused_parameters;  // cannot change any output
  std::vector<std::string> ignored_inputs;     // "0", "1": by position
  std::vector<MutantResult> mutants;

  uint64_t InputBytes() const;
  uint64_t OutputBytes() const;
  // Each byte that has to move once: inputs and state read, outputs written.
  uint64_t CompulsoryBytes() const;
  std::vector<std::string> Survivors() const;
  // The killed mutant that the least tolerance would let pass; null: none.
  const MutantResult* Cheapest() const;
  bool operator==(const Audit&) const = default;
};
base::Json ToJson(const Audit& audit);
base::Result<Audit> AuditFromJson(const base::Json& json);

}  // namespace kb::record
