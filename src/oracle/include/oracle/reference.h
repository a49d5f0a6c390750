#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "record/policy.h"
#include "record/problem.h"
#include "record/timing.h"

namespace kb::oracle {

// A dense row-major tensor on the lane's device that somebody else owns.
struct TensorView {
  record::TensorSpec spec;
  std::byte* data = nullptr;
};

struct OpenRequest {
  std::string id;
  std::string source;
  std::string reference = "Model";  // record::Problem::reference
  record::Precision precision = record::Precision::kFp32;
  record::PrecisionRule precision_rule = record::PrecisionRule::kAsReference;
  uint64_t construction_seed = 42;
  bool redraw_flat_parameters = false;
  uint64_t redraw_seed = 0;
  std::vector<uint64_t> cpu_seeds;  // whose inputs are drawn on the CPU
  bool mixed_inputs = false;        // floating ones, after each draw
};

// The PyTorch reference of one problem. Real: the Python host of this process.
// Fake: plain loops, in tests.
class Reference {
 public:
  virtual ~Reference() = default;

  // Builds the model; draws once and runs once to learn the shapes. An Error is
  // the problem's fault or PyTorch's, with the exception's text: what returns
  // no tensor is no problem, nor what would be judged on inputs that look drawn
  // and are always the same.
  virtual base::Result<record::ProblemFacts> Open(
      const OpenRequest& request) = 0;

  // What an input tensor is (hosts/input_nature.py): neither free nor ids:
  // other values would mean nothing.
  struct InputNature {
    bool free = false;  // floats that may have any value
    // Floats that mean something together: a mask, probabilities, a symmetric
    // matrix, places in order.
    bool kept = false;
    bool symmetric = false;  // a matrix that equals its transpose
    bool negative = false;   // all of which are negative or zero
    bool sparse = false;     // many of which are zero for a reason
    bool ids = false;        // integers, any of a range
    int64_t least = 0;       // of ids
    int64_t range = 1;
  };

  // What Open found besides the facts that a jail is told.
  struct Nature {
    bool random = false;  // forward draws random numbers
    // Device memory that a forward takes, its outputs included, as fragmented
    // as PyTorch's allocator leaves it; 0: unknown.
    uint64_t forward_bytes = 0;
    std::string tf32;    // record::Ruler::tf32
    bool waits = false;  // forward waits for the device by itself
    // How many operators forward has, about, and what one takes on average,
    // host included; 0: unknown.
    int64_t operators = 0;
    double operator_us = 0;
    bool convolves = false;  // its model has modules for convolutions
    bool by_place = false;   // or for transposed ones in three dimensions
    // Tensors among the inputs that forward itself writes to, so that a
    // candidate may as well.
    std::vector<size_t> changed_inputs = {};
    std::vector<InputNature> inputs = {};  // tensors in order
    // What the problem itself lets a candidate leave out, in words.
    std::vector<std::string> remarks = {};
    // Inputs look random and are the same for each seed, so that only what a
    // policy makes of them is unknown.
    bool constant = false;
  };
  virtual Nature nature() const = 0;

  // Parameters and buffers in the order of facts.state. Valid until Open.
  virtual base::Result<std::vector<TensorView>> State() = 0;

  // Fresh inputs from `seed`, which become the current ones; the views may be
  // changed in place. Valid until the next Draw.
  virtual base::Result<std::vector<TensorView>> Draw(uint64_t seed) = 0;
  // The inputs drawn last have been copied to `places`, which belong to `slot`
  // until Open: TakeKept makes them the current ones again.
  virtual base::Result<void> Keep(size_t slot,
                                  const std::vector<TensorView>& places) = 0;
  virtual base::Result<void> TakeKept(size_t slot) = 0;

  struct Run {
    std::vector<TensorView> outputs;  // valid until the next Forward
    double device_us = 0;             // about; docs/timing.md has the real ones
  };
  // The reference on the current inputs, which stay as drawn, with random
  // generators that start from the seed (63 bits), also in what follows on the
  // same inputs.
  virtual base::Result<Run> Forward(uint64_t generator_seed) = 0;
  // The same without TF32; the outputs of Forward stay valid. Valid until it is
  // called again.
  virtual base::Result<std::vector<TensorView>> ForwardPrecise() = 0;
  // The same with the operands of all products rounded to TF32, on any device.
  // Valid until it is called again.
  virtual base::Result<std::vector<TensorView>> ForwardInTf32() = 0;
  // The same without TF32 on inputs of which every element is another one in
  // its last bit, up or down as `seed` (63 bits) says. Valid until it is called
  // again.
  virtual base::Result<std::vector<TensorView>> ForwardNudged(
      uint64_t seed) = 0;
  // The same in float64; the outputs of Forward stay valid. Valid until it is
  // called again.
  virtual base::Result<std::vector<TensorView>> ForwardInDouble() = 0;

  // How fast large matrix products are on the device, the best of several: the
  // rates of Ceilings. Needs no open problem, and a device.
  virtual base::Result<record::Ceilings> Rates() = 0;

  // What can be learnt of the problem without comparing anything. From here on
  // the outputs of earlier Forwards are kept for Mutate.
  struct Inspection {
    std::vector<std::string> mutants;  // names for Mutate
    double flops = 0;
    uint64_t peak_bytes = 0;  // of the device during forward; 0: unknown
    std::vector<std::string> unused_parameters;
    std::vector<std::string> ignored_inputs;
  };
  virtual base::Result<Inspection> Inspect() = 0;
  // A standard wrong answer on the current inputs (hosts/mutants.py), valid
  // until the next; nothing where it does not apply. kAgain: the reference once
  // more.
  static constexpr const char* kAgain = "again";
  virtual base::Result<std::optional<std::vector<TensorView>>> Mutate(
      const std::string& name) = 0;
};

}  // namespace kb::oracle
