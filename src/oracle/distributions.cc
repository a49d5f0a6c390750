#include "distributions.h"

#include <algorithm>

#include "base/random.h"

namespace kb::oracle {
namespace {

using base::Result;
using record::Distribution;
using InputNature = Reference::InputNature;

int64_t RowOf(const record::TensorSpec& spec) {
  return spec.shape.empty() ? 1 : std::max<int64_t>(1, spec.shape.back());
}

// Whether the distribution changes this input.
bool Changes(Distribution as, const InputNature& nature,
             const record::TensorSpec& spec) {
  switch (as) {
    case Distribution::kZipf:
      return nature.ids;
    case Distribution::kRepeated:
      return nature.free && !nature.sparse && spec.Elements() > RowOf(spec);
    case Distribution::kNegative:
      return nature.free && !nature.negative;
    case Distribution::kPositive:
      return nature.free && nature.negative;
    case Distribution::kAsGiven:
      return false;
    default:
      return nature.free;
  }
}

}  // namespace

std::vector<Distribution> DistributionsFor(
    const Reference::Nature& nature,
    const std::vector<record::TensorSpec>& inputs,
    const std::vector<record::TensorSpec>& outputs) {
  const bool places = std::ranges::any_of(outputs, [](const auto& output) {
    return !record::IsFloating(output.dtype);
  });
  std::vector<Distribution> found;
  for (size_t number = 0; number < record::kDistributions; ++number) {
    const auto as = static_cast<Distribution>(number);
    const bool ties =
        as == Distribution::kNearZero || as == Distribution::kRepeated;
    bool changes = false;
    for (size_t i = 0; i < std::min(inputs.size(), nature.inputs.size()); ++i)
      changes = changes || Changes(as, nature.inputs[i], inputs[i]);
    if (changes && !(ties && places)) found.push_back(as);
  }
  return found;
}

std::vector<Distribution> TrialsOutside(
    const record::Policy& policy, bool untimed, const Reference::Nature& nature,
    const std::vector<record::TensorSpec>& inputs,
    const std::vector<record::TensorSpec>& outputs) {
  constexpr size_t kUntimed = 2;
  const bool mixed = policy.inputs == record::InputStyle::kMixed &&
                     std::ranges::any_of(inputs, [](const auto& input) {
                       return record::IsFloating(input.dtype);
                     });
  std::vector<Distribution> all;
  if (untimed)
    all.assign(kUntimed, Distribution::kAsGiven);
  else if (mixed && policy.distributions)
    all.push_back(Distribution::kAsGiven);
  if (!policy.distributions) return all;
  for (const Distribution as : DistributionsFor(nature, inputs, outputs))
    all.push_back(as);
  return all;
}

Result<void> Distribute(device::Kernels* kernels,
                        const std::vector<TensorView>& inputs,
                        const Reference::Nature& nature, Distribution as,
                        uint64_t seed) {
  for (size_t i = 0; i < std::min(inputs.size(), nature.inputs.size()); ++i) {
    const TensorView& input = inputs[i];
    const InputNature& what = nature.inputs[i];
    if (!Changes(as, what, input.spec)) continue;
    KB_TRY(kernels->Distribute(input.data, input.spec.dtype,
                               input.spec.Elements(),
                               {.as = as,
                                .seed = base::Mix(seed + i),
                                .row = RowOf(input.spec),
                                .least = what.least,
                                .range = what.range}));
  }
  return base::Ok();
}

Result<void> Mix(device::Kernels* kernels,
                 const std::vector<TensorView>& inputs,
                 const Reference::Nature& nature, uint64_t seed) {
  std::vector<size_t> mixed, kept;
  for (size_t i = 0; i < inputs.size(); ++i) {
    const InputNature what =
        i < nature.inputs.size() ? nature.inputs[i] : InputNature();
    if (record::IsFloating(inputs[i].spec.dtype) && !what.symmetric)
      (what.kept ? kept : mixed).push_back(i);
  }
  for (const size_t i : mixed.empty() ? kept : mixed)
    KB_TRY(kernels->Mix(inputs[i].data, inputs[i].spec.dtype,
                        inputs[i].spec.Elements(),
                        i == 0 ? seed : base::Mix(seed + i)));
  return base::Ok();
}

}  // namespace kb::oracle
