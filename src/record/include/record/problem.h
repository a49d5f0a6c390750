#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "record/policy.h"
#include "record/tensor.h"

namespace kb::record {

// At which size a problem is judged. Every problem has the full one, and most a
// small one; fitted is the full size with one constant lowered until a memory
// budget holds; any other is one that the problem's notes declare by its name.
// Or at several of them, one after the other.
class Size {
 public:
  static const Size kFull;
  static const Size kSmall;
  static const Size kFitted;

  bool IsNamed() const;    // one, and none of these
  bool IsSeveral() const;  // "all", or a list as "small,wide"
  // Those of a list; of "all" none, as the problem has to say.
  std::vector<Size> Listed() const;
  // The one that flags speak of: the full one, unless it is the small one.
  const Size& Published() const;
  auto operator<=>(const Size&) const = default;

 private:
  explicit Size(std::string name) : name_(std::move(name)) {}
  friend std::string SizeName(const Size& size);
  friend std::optional<Size> ParseSize(const std::string& name);

  std::string name_;
};
inline const Size Size::kFull{"full"};
inline const Size Size::kSmall{"small"};
inline const Size Size::kFitted{"fitted"};
std::string SizeName(const Size& size);
// "full", "small", "fitted", or what may be the name of a size: lower-case
// letters, digits, _ and -. Or "all", or two or more of them as "small,wide",
// none twice.
std::optional<Size> ParseSize(const std::string& name);

// A known weakness or oddity of a problem, kept because results must compare.
struct Flag {
  std::string flag;  // "zero_passes", "constant_output", ...
  std::string reason;
  // Where it holds; empty: everywhere. A fitted or named size counts as the
  // full one. What was found with fixed tolerances of 1e-4 and 1e-2 says
  // nothing about other ones: under a policy that they cannot name, and as
  // given, every flag holds. `policy` is what Problem::NameOf says of it.
  std::vector<Precision> precisions = {};
  std::vector<Size> sizes = {};
  std::vector<std::string> policies = {};
  bool Holds(Precision precision, const Size& size,
             const std::string& policy) const;
  // Whether `policies` may name it.
  static bool CanName(const std::string& policy);
  // "in fp16, bf16 only: ..." with the reason.
  std::string Text() const;
  bool operator==(const Flag&) const = default;
};

// A tolerance that is wider than the precision's, and why: rounding alone needs
// it, and no known cheat fits in. All three are t in |d| <= t + t * |expected|.
struct ToleranceNote {
  Precision precision = Precision::kFp32;
  double value = 0;
  double honest = 0;  // the least that the worst honest variant needs
  double cheat = 0;   // the least that the cheapest wrong answer needs
  bool operator==(const ToleranceNote&) const = default;
};

// What every right answer to a problem has to do besides writing the outputs,
// by whatever algorithm: the rest may be saved, and is no part of the floor.
struct Floor {
  bool inputs = false;                // read all inputs
  bool weights = false;               // read all parameters and buffers
  bool flops = false;                 // do the operations that Cost counts
  std::vector<Precision> precisions;  // that this holds in; empty: all
  std::string reason;
  bool operator==(const Floor&) const = default;
};

// What running a problem's reference at one size takes, in fp32 or the first of
// its precisions. Measured by `kernelbench audit`.
struct Cost {
  uint64_t memory_bytes = 0;      // device peak of one forward, all included
  uint64_t state_bytes = 0;       // of these: parameters and buffers
  uint64_t compulsory_bytes = 0;  // inputs and state read, outputs written once
  double flops = 0;  // of matrix products, convolutions and attention
  // Device memory that judging takes: the reference's peak, as much again for a
  // candidate, inputs and outputs once more to hand over, and 1 GiB for what
  // two processes' contexts hold.
  uint64_t JudgingBytes() const {
    return 2 * memory_bytes + compulsory_bytes + (uint64_t{1} << 30);
  }
  bool operator==(const Cost&) const = default;
};

// The problem with dimensions that its inputs alone determine a little larger.
struct HiddenSize {
  std::string name;    // "batch_size = 65"
  std::string source;  // Python, as Problem::source
  bool operator==(const HiddenSize&) const = default;
};

// A problem as it will run: the size's constants are already written into the
// source, so the source shown is the source that runs.
struct Problem {
  std::string id;      // "level1/23"
  std::string name;    // "Softmax"
  std::string pack;    // folder it came from, as the user wrote it; "" = ours
  std::string source;  // Python
  Size size = Size::kFull;
  std::vector<std::string> tags;
  std::vector<Flag> flags;
  std::vector<Precision> precisions;  // that the reference can; empty: all
  // What kAsGiven comes to: kFp32 where the file makes no other floating type.
  Precision given = Precision::kFp32;

  std::vector<ToleranceNote> tolerances;
  std::optional<Cost> cost;  // at this size
  Floor floor;

  // Python that goes behind the source: the same with flash-linear-attention,
  // which is what the baseline "fla" times. Empty: there is none.
  std::string fla;

  // What the source defines: "Model", "ModelNew", or the name of a function.
  std::string reference = "Model";

  std::vector<HiddenSize> hidden;  // empty: none is known

  // The reference draws random numbers in forward. Both sides start from the
  // same generator state (docs/problems.md).
  bool random_forward = false;

  // Inputs outside what get_inputs draws would be meaningless (logarithms of
  // negative numbers, overflow), so no policy changes them.
  bool inputs_as_given = false;

  bool Supports(Precision precision) const;
  // What it is judged in where `wanted` is asked for: as given where it does
  // not support that.
  Precision In(Precision wanted) const;
  // The policy as it applies to this problem in this precision.
  Policy Adjusted(Policy policy, Precision precision) const;
  // The name of a policy so adjusted, or "NAME changed" where it compares
  // answers otherwise than the policy that we know by this name: other
  // tolerances, inputs or public trials.
  std::string NameOf(const Policy& adjusted, Precision precision) const;

  // Content address: the source as it runs.
  std::string Hash() const;
};

// What the oracle found when it built the problem. All plain data: the jail
// learns the problem from this, never from the file.
struct ProblemFacts {
  std::vector<Value> init_args;
  std::vector<Value> inputs;        // forward's arguments in order
  std::vector<TensorSpec> outputs;  // the reference's tensors in order
  // How the reference returns them: "tensor", "tuple", "list".
  std::string output_structure = "tensor";
  std::vector<NamedTensor> state;  // parameters, then buffers
  // The file's own numbers and strings, and tuples of them, by name: a
  // candidate's module begins with them, as the original's does.
  Value constants{Value::Dict{}};
  bool operator==(const ProblemFacts&) const = default;
};
// Whose tolerance holds for the answers: the precision's type; of a problem as
// given the narrowest floating type among its inputs and outputs.
DType JudgedType(const ProblemFacts& facts, Precision precision);
base::Json ToJson(const ProblemFacts& facts);
base::Result<ProblemFacts> ProblemFactsFromJson(const base::Json& json);

}  // namespace kb::record
