#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <vector>

#include "base/mutex.h"
#include "oracle/reference.h"

namespace kb::oracle {

// For tests: a reference that doubles its input; the factor is its weight.

constexpr int64_t kElements = 1000;
inline record::TensorSpec Spec() {
  return {record::DType::kFloat32, {kElements}};
}

// Whether the reference draws a random number in forward, and how.
inline std::atomic<bool> g_random = false;
inline float NoiseOf(uint64_t generator_seed) {
  return static_cast<float>(generator_seed % 1000);
}

// Whether it takes no inputs below 0.
inline std::atomic<bool> g_takes_no_negative = false;

// Done in the oracle's own forward, which is between the end of a chain and the
// look at its outputs.
class InForward {
 public:
  void Set(std::function<void()> deed) {
    const base::MutexLock lock(&mutex_);
    deed_ = std::move(deed);
  }
  void Do() {
    const base::MutexLock lock(&mutex_);
    if (deed_) deed_();
  }

 private:
  base::Mutex mutex_;
  std::function<void()> deed_ KB_GUARDED_BY(mutex_);
};
inline InForward g_in_forward;

class Doubling : public Reference {
 public:
  base::Result<record::ProblemFacts> Open(const OpenRequest&) override {
    record::ProblemFacts facts;
    facts.inputs.push_back({record::Value::Tensor{Spec()}});
    facts.outputs.push_back(Spec());
    facts.state.push_back({"factor", WeightSpec()});
    return facts;
  }
  Nature nature() const override {
    Nature nature{g_random, 0, "cudnn"};
    nature.inputs.push_back({.free = true});
    return nature;
  }
  base::Result<std::vector<TensorView>> State() override {
    return std::vector<TensorView>{
        {WeightSpec(), reinterpret_cast<std::byte*>(weight_.data())}};
  }
  base::Result<std::vector<TensorView>> Draw(uint64_t seed) override {
    seed_ = seed;
    uint64_t state = seed;
    for (float& value : input_) {
      state = state * 6364136223846793005 + 1442695040888963407;
      value = static_cast<float>(state >> 40) / (1 << 24);
    }
    return View(&input_);
  }
  base::Result<void> Keep(size_t slot,
                          const std::vector<TensorView>& places) override {
    kept_[slot] = {seed_, places};
    return base::Ok();
  }
  base::Result<void> TakeKept(size_t slot) override {
    const auto& [seed, places] = kept_.at(slot);
    const auto* first = reinterpret_cast<const float*>(places.at(0).data);
    seed_ = seed;
    input_.assign(first, first + kElements);
    return base::Ok();
  }
  base::Result<Run> Forward(uint64_t generator_seed) override {
    g_in_forward.Do();
    if (g_takes_no_negative && std::ranges::min(input_) < 0)
      return base::Fail("all of x should be in [0, 1]");
    const float noise = g_random ? NoiseOf(generator_seed) : 0;
    for (size_t i = 0; i < input_.size(); ++i)
      output_[i] = factor * weight_[0] * input_[i] + noise;
    return Run{View(&output_), 10};
  }
  base::Result<std::vector<TensorView>> ForwardPrecise() override {
    return View(&output_);
  }
  base::Result<std::vector<TensorView>> ForwardInTf32() override {
    tf32_ = output_;
    for (float& value : tf32_) value += tf32_error;
    return View(&tf32_);
  }
  base::Result<std::vector<TensorView>> ForwardNudged(
      uint64_t /*seed*/) override {
    nudged_ = output_;
    for (float& value : nudged_) value += nudge;
    return View(&nudged_);
  }
  // What an earlier call returned is no longer valid, as with PyTorch.
  base::Result<std::vector<TensorView>> ForwardInDouble() override {
    std::ranges::fill(exact_.at(turn_), std::numeric_limits<double>::max());
    turn_ = 1 - turn_;
    exact_.at(turn_).assign(output_.begin(), output_.end());
    record::TensorSpec spec = Spec();
    spec.dtype = record::DType::kFloat64;
    return std::vector<TensorView>{
        {spec, reinterpret_cast<std::byte*>(exact_.at(turn_).data())}};
  }
  base::Result<record::Ceilings> Rates() override {
    return base::Fail("no large product");
  }
  base::Result<Inspection> Inspect() override {
    Inspection inspection;
    inspection.mutants = {"right", "shifted",  "short", "none",
                          "late",  "absolute", "broken"};
    inspection.flops = 1000;
    return inspection;
  }
  base::Result<std::optional<std::vector<TensorView>>> Mutate(
      const std::string& name) override {
    if (name == "none") return std::optional<std::vector<TensorView>>();
    if (name == "broken") return base::Fail("Traceback\nTypeError: no");
    mutant_ = output_;
    constexpr std::array<uint64_t, 5> kPublic{42, 123, 456, 789, 1337};
    const bool late = std::ranges::find(kPublic, seed_) == kPublic.end();
    if (name == "shifted") mutant_[3] += 1;
    if (name == "late" && late) mutant_[3] += 1000;
    if (name == "absolute")
      for (float& value : mutant_) value = std::abs(value);
    auto view = View(&mutant_);
    if (name == "short") view[0].spec.shape[0] -= 1;
    return std::optional(std::move(view));
  }

  float tf32_error = 0;
  float factor = 1;  // besides the weight
  float nudge = 0;   // by how much answers change with the inputs' last bit

 private:
  static record::TensorSpec WeightSpec() {
    return {record::DType::kFloat32, {1}};
  }
  static std::vector<TensorView> View(std::vector<float>* values) {
    return {{Spec(), reinterpret_cast<std::byte*>(values->data())}};
  }
  std::vector<float> weight_{2};
  std::vector<float> input_ = std::vector<float>(kElements);
  std::vector<float> output_ = std::vector<float>(kElements);
  std::vector<float> mutant_;
  std::vector<float> nudged_;
  std::vector<float> tf32_;
  std::array<std::vector<double>, 2> exact_;
  size_t turn_ = 0;
  uint64_t seed_ = 0;  // of the inputs
  struct Kept {
    uint64_t seed = 0;
    std::vector<TensorView> places;
  };
  std::map<size_t, Kept> kept_;  // by slot
};

}  // namespace kb::oracle
