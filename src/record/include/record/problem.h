#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "record/policy.h"
#include "record/tensor.h"

namespace kb::record {

enum class Size { kFull, kSmall };
const char* SizeName(Size size);
std::optional<Size> ParseSize(const std::string& name);

// A known weakness or oddity of a problem, kept because results must compare.
struct Flag {
  std::string flag;  // "zero_passes", "constant_output", ...
  std::string reason;
  bool operator==(const Flag&) const = default;
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

  // Inputs outside what get_inputs draws would be meaningless (logarithms of
  // negative numbers, overflow), so no policy changes them.
  bool inputs_as_given = false;

  bool Supports(Precision precision) const;
  // The policy as it applies to this problem.
  Policy Adjusted(Policy policy) const;

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
  bool operator==(const ProblemFacts&) const = default;
};
base::Json ToJson(const ProblemFacts& facts);
base::Result<ProblemFacts> ProblemFactsFromJson(const base::Json& json);

}  // namespace kb::record
