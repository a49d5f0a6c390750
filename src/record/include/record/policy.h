#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "record/tensor.h"

namespace kb::record {

// What floating tensors of a problem are cast to. kAsGiven: none is, each keeps
// the type in which the problem's file makes it.
enum class Precision { kFp32, kFp16, kBf16, kAsGiven };
const char* PrecisionName(Precision precision);  // "fp32"
std::optional<Precision> ParsePrecision(const std::string& name);
std::string PrecisionNames();  // "fp32, fp16, bf16, as_given", for messages
// None for kAsGiven.
std::optional<DType> PrecisionDType(Precision precision);

// |actual - expected| <= atol + rtol * |expected|
struct Tolerance {
  double atol = 0;
  double rtol = 0;
  bool operator==(const Tolerance&) const = default;
};

// How inputs are drawn.
enum class InputStyle {
  kAsGiven,  // what get_inputs() returns
  kMixed,    // floating inputs get mixed scales, signs and outliers
};

// How a candidate is examined.
enum class Procedure {
  kOwn,
  // As the original's evaluator, where that can change a verdict: seeds from
  // manual_seed(42) and inputs drawn on the CPU in the public trials, weights
  // by the seed alone, PyTorch's TF32 as it is, no tolerance of a problem's
  // own, and a wrong answer in a timed call is none.
  kOriginal,
};

// Whether it is looked at what ran (record/provenance.h): never; told in the
// result; and what is below Policy::own_share is rejected.
enum class ProvenanceRule { kOff, kOn, kRequired };
std::optional<ProvenanceRule> ParseProvenanceRule(const std::string& name);

// What float32 means: what PyTorch makes of it where the problem's file does
// not say, on both sides; never TF32; or TF32 in products, on both sides.
enum class PrecisionRule { kAsReference, kIeee, kTf32 };
const char* PrecisionRuleName(PrecisionRule rule);  // "as_reference"
std::optional<PrecisionRule> ParsePrecisionRule(const std::string& name);

// Whether a candidate that is right is also tried at sizes near the one that is
// shown (Problem::hidden): never; told in the result; and who is wrong there is
// rejected.
enum class HiddenSizes { kOff, kNoted, kRequired };

// A named set of rules; a result always carries the whole of it.
struct Policy {
  std::string name = "kernelbench";
  int64_t public_trials = 5;  // untimed, PublicSeeds()
  // Rounds of the ruler. Timing ends after the minimum when the interval of the
  // speedup is within +- relative_error of it, or the time is spent.
  int64_t min_timed_trials = 6;
  int64_t max_timed_trials = 100;
  double timed_seconds = 1;
  double relative_error = 0.005;
  // Nobody asks how slow: timing ends once the speedup is known to be below
  // this (timing::KnownToBeBelow). 0: never for that.
  double stop_below = 0;
  // Of each side. 0: as many as bring what differs between processes near
  // relative_error (timing::ProcessesFor).
  int64_t processes = 0;
  bool warm = false;  // leave the caches as the call before left them
  std::optional<Tolerance> tolerance;  // for all types
  // By type of the answer; of others FixedTolerance knows.
  std::map<DType, Tolerance> tolerances;
  // > 0: the tolerance is measured: this many times the error that PyTorch's
  // own answer has against float64 (largest over the output), never below the
  // precision's rounding error. 0: the fixed tolerance.
  double error_multiple = 0;
  PrecisionRule precision = PrecisionRule::kAsReference;
  InputStyle inputs = InputStyle::kAsGiven;
  bool distributions = false;  // a trial for each that the inputs can have
  HiddenSizes hidden_sizes = HiddenSizes::kOff;
  Procedure procedure = Procedure::kOwn;
  // All-ones and all-zeros parameters, running statistics that are only read.
  bool redraw_flat_parameters = false;
  // Whether batch norms that train keep their running statistics, which nobody
  // compares. Else neither side's do while it is timed.
  bool running_statistics = true;
  bool allow_torch_ops = true;  // static check of the python track
  ProvenanceRule provenance = ProvenanceRule::kOff;
  double own_share = 0.5;  // the least, where provenance is required
  bool profile = false;    // tell where its time goes (record/profile.h)
  std::string min_isolation = "reduced";
  double load_seconds = 120;  // import, build from cache, construction
  double call_seconds = 20;   // one call of forward
  double wall_seconds = 300;  // a candidate's life from its turn on, and each
                              // answer of the oracle about a problem
  double compile_seconds = 300;
  int64_t memory_bytes = int64_t{16} << 30;  // host memory of the jail
  bool operator==(const Policy&) const = default;
};
base::Json ToJson(const Policy& policy);
// Fields that are missing keep the default of the policy called `name`.
base::Result<Policy> PolicyFromJson(const base::Json& json);

// "kernelbench" (the original's tolerances), "strict", "own-kernels" (the same
// as kernelbench, but code of the candidate's own must do most of the work),
// "v3" (the tolerances of KernelBench-v3), or "original" (kOriginal, and its
// limits).
std::optional<Policy> NamedPolicy(const std::string& name);
std::string PolicyNames();  // for messages

// Of the public trials: 42, 123, 456, 789, 1337, or the original's.
std::vector<uint64_t> PublicSeeds(const Policy& policy);

// What answers of a type may be off by where nothing is measured: what the
// policy says, else atol = rtol = 1e-4 for float32 and float64 and 1e-2 for
// float16 and bfloat16, as the original since v0.2, which has nothing of fewer
// bits: for these rtol is one step (0.125, 0.25), atol 1e-2.
Tolerance FixedTolerance(const Policy& policy, DType dtype);

}  // namespace kb::record
