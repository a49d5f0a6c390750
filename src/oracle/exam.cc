#include "exam.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/random.h"
#include "base/text.h"
#include "defences.h"
#include "distributions.h"
#include "roundings.h"

namespace kb::oracle {
namespace {

using base::Result;

constexpr const char* kNoMemory = "out of memory";
constexpr const char* kNotInDouble = "the reference does not run in float64: ";

// PyTorch's largest error is one draw from a long tail: where few sums hold
// terms that are far larger than all others, it may have rounded just those
// well. So a few elements of an output may be further off than measured.
constexpr double kOfFew = 4;
bool AreFew(const record::Mismatch& mismatch) {
  constexpr int64_t kOneIn = 1000;
  return mismatch.structure.empty() && mismatch.unwritten == 0 &&
         mismatch.wrong <= mismatch.elements / kOneIn;
}

// So many answers to inputs that moved by their last bit say by how much an
// answer may.
constexpr uint64_t kMoves = 3;

// A tolerance above this share of the answers says nothing.
constexpr double kMostOfRms = 0.25;

bool MayHaveSlack(const TensorView& output) {
  return StepsIn(output.spec.dtype) > 0;
}

double RmsOf(const device::Kernels::Errors& errors,
             const record::TensorSpec& spec) {
  const int64_t elements = std::max<int64_t>(1, spec.Elements());
  return std::sqrt(errors.sum_sq_expected / static_cast<double>(elements));
}

record::Tolerance Scaled(const record::Tolerance& tolerance, double by) {
  return {tolerance.atol * by, tolerance.rtol * by};
}

// One in so many, or one.
uint64_t FewOf(const TensorView& output, int64_t one_in) {
  return static_cast<uint64_t>((output.spec.Elements() + one_in - 1) / one_in);
}

// What an error says, the same for every trial: PyTorch adds to it how much
// memory was free.
std::string WhyNot(const std::string& error) {
  if (SaysNoMemory(error)) return kNoMemory;
  return std::string(base::LastLine(error));
}

}  // namespace

// PyTorch's words on a GPU, its libraries' there, and its own on cpu.
bool SaysNoMemory(const std::string& error) {
  return error.find(kNoMemory) != std::string::npos ||
         error.find("ALLOC_FAILED") != std::string::npos ||
         error.find("allocate memory") != std::string::npos;
}

Exam::Exam(const TrialParts& parts, record::Policy policy,
           record::Tolerance tolerance)
    : parts_(parts),
      policy_(std::move(policy)),
      fixed_tolerance_(tolerance),
      verifier_(*parts.device, *parts.kernels) {}

Result<void> Exam::Rehearse() {
  if (!parts_.device->is_cuda() || policy_.error_multiple <= 0)
    return base::Ok();
  KB_TRY(SetQuestion(base::SecretSeed(), 0));
  return base::Ok();
}

// Inputs stay as they were drawn while the reference answers, and what was
// measured of such a question is not measured twice.
bool Exam::IsAsked(uint64_t seed, As as) const {
  return as && as == as_ && asked_ && *asked_ == seed;
}

Result<void> Exam::Draw(uint64_t seed, As as) {
  if (IsAsked(seed, as)) return base::Ok();
  // What is kept nowhere else is overwritten.
  std::erase_if(kept_,
                [](const auto& each) { return each.second.inputs.empty(); });
  seed_ = seed;
  as_ = as;
  asked_.reset();
  fresh_ = true;
  constexpr uint64_t kSame = 42;
  const uint64_t drawn = IsOn(Defence::kFreshInputs) ? seed : kSame;
  KB_ASSIGN(inputs_, parts_.reference->Draw(drawn));
  if (as)
    return Distribute(parts_.kernels, inputs_, parts_.reference->nature(), *as,
                      drawn);
  return parts_.given.mixes ? MixInputs(drawn) : base::Ok();
}

Result<void> Exam::MixInputs(uint64_t seed) {
  if (policy_.inputs != record::InputStyle::kMixed) return base::Ok();
  return Mix(parts_.kernels, inputs_, parts_.reference->nature(), seed);
}

Result<Given> Exam::LookAtGiven() {
  if (policy_.inputs != record::InputStyle::kMixed) return parts_.given;
  KB_ASSIGN(const bool answers, AnswerTo({}));
  bool mixed = answers;
  if (mixed) {
    KB_ASSIGN(mixed, IsFinite());
  }
  if (mixed && std::ranges::none_of(eager_, MayHaveSlack)) return parts_.given;
  KB_TRY(AnswerTo(record::Distribution::kAsGiven));
  if (!mixed) {
    KB_ASSIGN(const bool finite, IsFinite());
    parts_.given.mixes = !finite;
  }
  parts_.given.spread.clear();
  for (const TensorView& output : eager_) {
    KB_ASSIGN(const double spread, SpreadOf(output));
    parts_.given.spread.push_back(spread);
  }
  return parts_.given;
}

// Root mean square of the distance of neighbours, over the root of two: the
// standard deviation of elements that do not depend on each other (J. von
// Neumann, 1941), and not what all have in common. 0 of other types.
Result<double> Exam::SpreadOf(const TensorView& output) {
  const int64_t pairs = output.spec.Elements() - 1;
  if (!MayHaveSlack(output) || pairs < 1) return 0.0;
  const record::DType dtype = output.spec.dtype;
  KB_ASSIGN(const device::Tally tally,
            parts_.kernels->Compare(output.data, dtype,
                                    output.data + record::DTypeSize(dtype),
                                    dtype, pairs, {}, 0));
  return std::sqrt(tally.sum_sq_error / static_cast<double>(pairs) / 2);
}

Result<bool> Exam::AnswerTo(As as) {
  // The same for all who judge the problem.
  constexpr uint64_t kSeed = 42;
  KB_TRY(Draw(kSeed, as));
  auto run = parts_.reference->Forward(0);
  // PyTorch refuses some inputs: probabilities above 1, say.
  if (!run && !as && !SaysNoMemory(run.error().message())) return false;
  if (!run) return base::Propagate(run.error());
  eager_ = std::move(run->outputs);
  asked_.reset();
  fresh_ = false;
  return true;
}

Result<bool> Exam::IsBounded() {
  for (const TensorView& output : eager_) {
    KB_ASSIGN(const device::Tally tally,
              parts_.kernels->Compare(output.data, output.spec.dtype,
                                      output.data, output.spec.dtype,
                                      output.spec.Elements(), {}, 0));
    if (std::isinf(tally.max_actual) || std::isinf(tally.min_actual))
      return false;
  }
  return true;
}

Result<std::optional<uint64_t>> Exam::CountFarFromZero(
    const TensorView& view, record::Tolerance tolerance) {
  constexpr size_t kMostBytes = size_t{16} << 20;
  const record::DType dtype = view.spec.dtype;
  const size_t size = record::DTypeSize(dtype);
  const size_t bytes = static_cast<size_t>(view.spec.Elements()) * size;
  if (bytes == 0) return std::optional<uint64_t>(0);
  const size_t part = std::min(bytes, kMostBytes);
  if (!zeros_ || zeros_->size() < part) {
    auto zeros_made = parts_.device->Allocate(part);
    if (!zeros_made) return std::optional<uint64_t>();
    zeros_ = std::move(*zeros_made);
    const std::vector<std::byte> zeros(part);
    KB_TRY(parts_.device->CopyFromHost(zeros_->data(), zeros.data(), part));
  }
  uint64_t far = 0;
  for (size_t at = 0; at < bytes; at += part) {
    const size_t left = std::min(part, bytes - at);
    KB_ASSIGN(const uint64_t here,
              parts_.kernels->CountWrong(
                  view.data + at, dtype, zeros_->data(), dtype,
                  static_cast<int64_t>(left / size), tolerance));
    far += here;
  }
  return std::optional(far);
}

// An element that is not finite is any distance from zero.
Result<bool> Exam::IsFinite() {
  constexpr record::Tolerance kAny{std::numeric_limits<double>::infinity(), 0};
  for (const TensorView& output : eager_) {
    if (!record::IsFloating(output.spec.dtype)) continue;
    KB_ASSIGN(const auto far, CountFarFromZero(output, kAny));
    // No room: then infinity alone is seen, where it is the largest.
    if (!far) return IsBounded();
    if (*far > 0) return false;
  }
  return true;
}

Result<void> Exam::Keep(size_t slot, const std::vector<TensorView>& places) {
  if (!places.empty()) KB_TRY(parts_.reference->Keep(slot, places));
  kept_[slot] = {seed_, as_, places};
  return base::Ok();
}

bool Exam::KeepsUsual(size_t slot) const {
  const auto kept = kept_.find(slot);
  return kept != kept_.end() && !kept->second.as;
}

Result<void> Exam::TakeOrDraw(uint64_t seed, As as) {
  const auto kept = std::ranges::find_if(kept_, [&](const auto& each) {
    return each.second.seed == seed && each.second.as == as &&
           !each.second.inputs.empty();
  });
  if (kept == kept_.end()) return Draw(seed, as);
  KB_TRY(parts_.reference->TakeKept(kept->first));
  seed_ = seed;
  as_ = as;
  asked_.reset();
  inputs_ = kept->second.inputs;
  return base::Ok();
}

Result<double> Exam::SetQuestion(uint64_t seed, uint64_t generator_seed,
                                 As as) {
  if (IsAsked(seed, as)) return 0.0;
  if (!fresh_ || seed_ != seed || as_ != as) KB_TRY(TakeOrDraw(seed, as));
  fresh_ = false;  // a forward may write into its inputs
  KB_ASSIGN(Reference::Run run, parts_.reference->Forward(generator_seed));
  eager_ = std::move(run.outputs);
  exact_.clear();
  specs_.clear();
  for (const TensorView& output : eager_) specs_.push_back(output.spec);
  if (!finite_) {
    KB_ASSIGN(finite_, IsFinite());
  }
  measured_ = !Measures();
  if (parts_.slack != nullptr) parts_.slack->Clear();
  if (measured_) {
    tolerances_.assign(eager_.size(), fixed_tolerance_);
    if (policy_.error_multiple > 0) {
      unmeasured_ = "the reference draws random numbers";
      KB_TRY(LimitFixed());
    }
  } else if (as || Presumed().empty()) {
    KB_TRY(MeasureTolerance());
  }
  asked_ = seed;
  // What the problem itself draws is judged as in the public trials.
  const bool outside = as && as != record::Distribution::kAsGiven;
  if (outside && !exact_.empty()) KB_TRY(WidenOutside());
  return run.device_us;
}

// Inputs of a distribution of their own ask whether the algorithm is right
// there, not how exactly it rounds: an answer may err as much as one to inputs
// that differ in their last bit, and all by a multiple more.
Result<void> Exam::WidenOutside() {
  constexpr double kOutside = 4;
  KB_ASSIGN(const auto nudged, parts_.reference->ForwardNudged(1));
  const bool same = HasSpecs(nudged);
  for (size_t i = 0; same && i < nudged.size(); ++i) {
    if (!record::IsFloating(nudged[i].spec.dtype)) continue;
    KB_ASSIGN(const auto errors, ErrorsOf(exact_[i], nudged[i]));
    record::Tolerance& tolerance = tolerances_.at(i);
    tolerance.atol = std::max(tolerance.atol, errors.max_abs_error);
  }
  for (record::Tolerance& tolerance : tolerances_)
    tolerance = Scaled(tolerance, kOutside);
  return base::Ok();
}

// Where PyTorch itself has no answer, or one that rounding decides, a wrong one
// says nothing of a candidate.
Result<std::string> Exam::WhyUnfit(uint64_t seed, uint64_t generator_seed,
                                   record::Distribution as) {
  const auto asked = SetQuestion(seed, generator_seed, as);
  const bool refused = !asked && as != record::Distribution::kAsGiven &&
                       !SaysNoMemory(asked.error().message()) &&
                       parts_.device->Synchronize();
  if (refused) return std::string("the reference takes no such inputs");
  if (!asked) return base::Propagate(asked.error());
  // As in the public trials, which are on such inputs or like them.
  if (as == record::Distribution::kAsGiven) return std::string();
  KB_ASSIGN(const bool finite, IsFinite());
  if (!finite) return "the reference's answer is not finite";
  if (exact_.empty())
    return unmeasured_.empty() ? "the tolerance is a fixed one" : unmeasured_;
  for (size_t i = 0; i < rms_.size(); ++i)
    if (tolerances_[i].atol > kMostOfRms * rms_[i] && tolerances_[i].atol > 0)
      return "rounding alone changes the answer too much";
  for (size_t i = 0; i < exact_.size(); ++i) {
    if (record::IsFloating(exact_[i].spec.dtype)) continue;
    KB_ASSIGN(const uint64_t wrong,
              parts_.kernels->CountWrong(exact_[i].data, exact_[i].spec.dtype,
                                         eager_[i].data, eager_[i].spec.dtype,
                                         eager_[i].spec.Elements(), {}));
    if (wrong > 0) return "rounding alone changes which place is right";
  }
  return std::string();
}

Result<device::Kernels::Errors> Exam::ErrorsOf(const TensorView& expected,
                                               const TensorView& actual) {
  return parts_.kernels->MeasureErrors(expected.data, expected.spec.dtype,
                                       actual.data, actual.spec.dtype,
                                       actual.spec.Elements());
}

// Strict: the candidate may err `error_multiple` times as much as PyTorch in
// the run's precision does against float64 on the same inputs. Orders of
// summation differ between honest kernels, hence the multiple. TF32, PyTorch's
// default for convolutions, errs by rounding the operands instead, which all
// that use it share: half the multiple is enough there, and keeps bfloat16 out,
// whose operands have an eighth of TF32's precision.
Result<void> Exam::MeasureTolerance() {
  measured_ = true;
  tolerances_.assign(eager_.size(), fixed_tolerance_);
  rms_.assign(eager_.size(), 0);
  Result<std::vector<TensorView>> exact = base::Fail("{}", kNoMemory);
  if (parts_.exact_fits) exact = parts_.reference->ForwardInDouble();
  // Where it cannot, or finds no memory, the fixed tolerance is all there is.
  unmeasured_ = exact ? "" : kNotInDouble + WhyNot(exact.error().message());
  if (!exact) return LimitFixed();
  if (exact->size() != eager_.size())
    return base::Fail(
        "the reference returns another number of outputs in "
        "float64");
  for (size_t i = 0; i < eager_.size(); ++i) {
    const record::TensorSpec& wide = exact->at(i).spec;
    if (wide.shape != eager_[i].spec.shape)
      unmeasured_ =
          fmt::format("{}output {} has another shape there", kNotInDouble, i);
    else if (record::IsFloating(eager_[i].spec.dtype) &&
             wide.dtype != record::DType::kFloat64)
      unmeasured_ = fmt::format("{}output {} stays {}", kNotInDouble, i,
                                record::DTypeName(wide.dtype));
  }
  if (!unmeasured_.empty()) return LimitFixed();
  std::vector<TensorView> precise;
  if (parts_.device->is_cuda()) {
    KB_ASSIGN(precise, parts_.reference->ForwardPrecise());
  }
  std::vector<TensorView> tf32;
  if (policy_.precision == record::PrecisionRule::kTf32) {
    KB_ASSIGN(tf32, parts_.reference->ForwardInTf32());
  }
  Tolerances measured;
  in_tf32_.assign(eager_.size(), false);
  for (size_t i = 0; i < eager_.size(); ++i) {
    KB_ASSIGN(const Measured found,
              Measure(exact->at(i), eager_[i],
                      precise.empty() ? nullptr : &precise[i]));
    measured.push_back(found.tolerance);
    rms_[i] = found.rms;
    in_tf32_[i] = found.in_tf32 || !tf32.empty();
    if (!tf32.empty())
      KB_TRY(WidenForTf32(exact->at(i), tf32[i], &measured[i]));
    if (std::isfinite(measured[i].atol)) continue;
    unmeasured_ = std::string(kNotInDouble) +
                  "its answers there are out of all proportion";
    return LimitFixed();
  }
  exact_ = std::move(*exact);
  KB_ASSIGN(const bool another, IsAnotherInDouble(measured));
  if (another) {
    exact_.clear();
    unmeasured_ =
        std::string(kNotInDouble) + "it computes something else there";
    return LimitFixed();
  }
  tolerances_ = measured;
  // Elsewhere it is not asked how exactly an algorithm rounds.
  if (!as_ || as_ == record::Distribution::kAsGiven) KB_TRY(MeasureSlack());
  if (as_) return base::Ok();
  if (least_.empty()) least_ = measured;
  slack_.resize(measured.size());
  for (size_t i = 0; i < measured.size(); ++i) {
    least_[i].atol = std::min(least_[i].atol, measured[i].atol);
    least_[i].rtol = std::min(least_[i].rtol, measured[i].rtol);
    if (HasSlack(i)) slack_[i] = true;
  }
  return base::Ok();
}

// Whether float64's answer is far from PyTorch's in an output where rounding is
// not the cause, since inputs that move by their last bit hardly change it: a
// generator that draws other numbers in float64, say.
Result<bool> Exam::IsAnotherInDouble(const Tolerances& measured) {
  constexpr int64_t kMany = 8, kFew = 100;
  for (size_t i = 0; i < eager_.size(); ++i) {
    const TensorView& eager = eager_[i];
    const record::Tolerance far{rms_[i], 0};
    if (!record::IsFloating(eager.spec.dtype) || measured[i].atol <= far.atol)
      continue;
    const auto apart = [&](const TensorView& expected, const TensorView& view) {
      return parts_.kernels->CountWrong(expected.data, expected.spec.dtype,
                                        view.data, view.spec.dtype,
                                        view.spec.Elements(), far);
    };
    KB_ASSIGN(const uint64_t in_double, apart(exact_[i], eager));
    if (in_double <= FewOf(eager, kMany)) continue;
    const auto moved = parts_.reference->ForwardNudged(1);
    if (!moved || !HasSpecs(*moved)) continue;
    KB_ASSIGN(const uint64_t by_rounding, apart(eager, moved->at(i)));
    if (by_rounding <= FewOf(eager, kFew)) return true;
  }
  return false;
}

bool Exam::HasSpecs(const std::vector<TensorView>& outputs) const {
  return std::ranges::equal(outputs, specs_, {}, &TensorView::spec);
}

// The tolerance of an output is made of PyTorch's largest error, which may be
// the rounding of the largest element, as it is in 16 bits. Where that is more
// than most others are, each gets a tolerance of its own besides. TF32 has
// none: it errs by what its operands are rounded to.
Result<void> Exam::MeasureSlack() {
  if (parts_.slack == nullptr) return base::Ok();
  std::vector<size_t> outputs;
  for (size_t i = 0; i < eager_.size(); ++i) {
    if (!MayHaveSlack(eager_[i])) continue;
    if (in_tf32_[i] && eager_[i].spec.dtype == record::DType::kFloat32)
      continue;
    KB_ASSIGN(const bool hides, HidesMost(i));
    if (hides && parts_.slack->Reserve(i, eager_[i].spec.Elements()))
      outputs.push_back(i);
  }
  if (outputs.empty()) return base::Ok();
  for (uint64_t move = 1; move <= kMoves; ++move) {
    const auto moved = parts_.reference->ForwardNudged(move);
    // Where there was room once, a candidate has taken it.
    if (!moved && SaysNoMemory(moved.error().message()) &&
        parts_.slack->WasHeld())
      return base::Propagate(moved.error());
    // No memory, the inputs end where PyTorch's answers do, or a number among
    // them says how large an answer is.
    if (!moved || !HasSpecs(*moved)) {
      parts_.slack->Clear();
      return base::Ok();
    }
    for (const size_t i : outputs)
      KB_TRY(parts_.slack->Widen(i, exact_[i], moved->at(i), OfMoves(i)));
  }
  for (const size_t i : outputs) KB_TRY(KeepSlackThatHolds(i));
  return base::Ok();
}

// Whether zeros would be right for more than an eighth of the elements that are
// none.
Result<bool> Exam::HidesMost(size_t output) {
  constexpr double kMost = 0.125;
  const TensorView& exact = exact_[output];
  KB_ASSIGN(const auto others, CountFarFromZero(exact, {}));
  KB_ASSIGN(const auto seen, CountFarFromZero(exact, tolerances_[output]));
  if (!others || !seen) return true;  // no room to look
  return static_cast<double>(*others - *seen) >
         kMost * static_cast<double>(*others);
}

// PyTorch's own answer moves with the others, or what they say is not what a
// kernel may err by: where rounding decides between two answers far apart, say.
Result<void> Exam::KeepSlackThatHolds(size_t output) {
  constexpr int64_t kOneIn = 100;
  const TensorView& eager = eager_[output];
  KB_ASSIGN(const device::Tally own,
            parts_.slack->Compare(output, exact_[output], eager.data,
                                  eager.spec.dtype, WithSlack(output)));
  if (static_cast<uint64_t>(own.wrong) > FewOf(eager, kOneIn)) {
    parts_.slack->Drop(output);
    return base::Ok();
  }
  return parts_.slack->Widen(output, exact_[output], eager, OfMoves(output));
}

// By how many moves of the last bit an element may be off.
double Exam::OfMoves(size_t output) const {
  return policy_.error_multiple / 4 * StepsIn(eager_.at(output).spec.dtype);
}

// Besides the slack: what is little beside the answers to what the problem
// draws is so beside these.
record::Tolerance Exam::WithSlack(size_t output) const {
  constexpr double kOfGiven = 4;
  const auto& spread = parts_.given.spread;
  const record::DType dtype = eager_.at(output).spec.dtype;
  const double rtol =
      policy_.error_multiple * StepsIn(dtype) * RoundingError(dtype);
  return {spread.empty() ? 0 : kOfGiven * rtol * spread.at(output), rtol};
}

// An answer that the output's tolerance says to be right, element by element.
// So many may be further off as an estimate from four draws misses, and as
// belong to a row whose largest logarithm rounding decides.
Result<std::optional<record::Mismatch>> Exam::CompareEach(
    size_t output, const verify::Comparison& question) {
  constexpr int64_t kOneIn = 50;
  KB_ASSIGN(const device::Tally beyond,
            parts_.slack->Compare(output, exact_[output], question.actual,
                                  question.spec.dtype, WithSlack(output)));
  if (static_cast<uint64_t>(beyond.wrong) <= FewOf(eager_[output], kOneIn))
    return std::optional<record::Mismatch>();
  KB_ASSIGN(device::Tally tally,
            parts_.kernels->Compare(question.expected, question.expected_dtype,
                                    question.actual, question.spec.dtype,
                                    question.spec.Elements(),
                                    question.tolerance, question.poison_seed));
  tally.wrong = beyond.wrong;
  tally.first_wrong = beyond.first_wrong;
  tally.worst = beyond.worst;
  KB_ASSIGN(auto mismatch, verifier_.Explain(question, tally));
  mismatch.pattern = fmt::format(
      "off by more than {:g} times what PyTorch's own answer moves by there "
      "when the inputs move by their last bit",
      OfMoves(output));
  return std::optional(std::move(mismatch));
}

// Of a question that is not measured: whether the answer is so near to
// PyTorch's that it is right by what would be measured. Who needs no slack is.
Result<bool> Exam::IsPresumed(const Answer& answer) {
  constexpr int64_t kOneIn = 100;
  KB_ASSIGN(const auto doubt, Compare(eager_, answer, Presumed()));
  if (doubt) return false;
  for (size_t i = 0; i < eager_.size(); ++i) {
    if (!slack_.at(i)) continue;
    const TensorView& eager = eager_[i];
    KB_ASSIGN(const uint64_t far,
              parts_.kernels->CountWrong(eager.data, eager.spec.dtype,
                                         answer.outputs.at(i), eager.spec.dtype,
                                         eager.spec.Elements(),
                                         Scaled(WithSlack(i), PresumedPart())));
    if (far > FewOf(eager, kOneIn)) return false;
  }
  return true;
}

Exam::Tolerances Exam::Presumed() const {
  if (!when_needed_ || PresumedPart() <= 0) return {};
  Tolerances presumed = least_;
  for (record::Tolerance& tolerance : presumed)
    tolerance = Scaled(tolerance, PresumedPart());
  return presumed;
}

record::Tolerance Exam::tolerance() const {
  if (specs_.empty()) return fixed_tolerance_;
  record::Tolerance largest;
  for (const record::Tolerance& each : measured_ ? tolerances_ : least_) {
    largest.atol = std::max(largest.atol, each.atol);
    largest.rtol = std::max(largest.rtol, each.rtol);
  }
  return largest;
}

// A fixed tolerance says nothing of answers that are smaller than it is.
Result<void> Exam::LimitFixed() {
  constexpr double kOfRms = 0.01, kRoundings = 32;
  for (size_t i = 0; i < eager_.size(); ++i) {
    const record::TensorSpec& spec = eager_[i].spec;
    if (!record::IsFloating(spec.dtype)) continue;
    KB_ASSIGN(const auto own, ErrorsOf(eager_[i], eager_[i]));
    const double least = kRoundings * RoundingError(spec.dtype);
    const double most = std::max(kOfRms, least) * RmsOf(own, spec);
    if (most > 0) tolerances_[i].atol = std::min(tolerances_[i].atol, most);
  }
  return base::Ok();
}

Result<Exam::Measured> Exam::Measure(const TensorView& exact,
                                     const TensorView& eager,
                                     const TensorView* precise) {
  Measured measured;
  const record::TensorSpec& spec = eager.spec;
  if (!record::IsFloating(spec.dtype)) return measured;
  KB_ASSIGN(const auto as_run, ErrorsOf(exact, eager));
  device::Kernels::Errors without_tf32 = as_run;
  if (precise != nullptr) {
    KB_ASSIGN(without_tf32, ErrorsOf(exact, *precise));
  }
  measured.rms = RmsOf(as_run, spec);
  // Nobody adds up in 8 bits: an answer is rounded to them once, and may end on
  // the other side of a step.
  constexpr double kMostOfFloat8 = 2;
  const double multiple = record::IsFloat8(spec.dtype)
                              ? std::min(policy_.error_multiple, kMostOfFloat8)
                              : policy_.error_multiple;
  const double rounding = RoundingError(spec.dtype);
  const double in_tf32 = as_run.max_abs_error / 2;
  measured.in_tf32 = in_tf32 > without_tf32.max_abs_error;
  measured.tolerance.atol =
      std::max(multiple * std::max({rounding * measured.rms,
                                    without_tf32.max_abs_error, in_tf32}),
               RoundingsOfSum(inputs_, spec) * rounding * measured.rms);
  measured.tolerance.rtol = multiple * rounding;
  return measured;
}

// As MeasureTolerance says of TF32. PyTorch itself may have used it for other
// products than a candidate does, or for none: there is none on cpu.
Result<void> Exam::WidenForTf32(const TensorView& exact, const TensorView& tf32,
                                record::Tolerance* tolerance) {
  if (tf32.spec.dtype != record::DType::kFloat32 ||
      exact.spec.dtype != record::DType::kFloat64)
    return base::Ok();
  KB_ASSIGN(const auto errors, ErrorsOf(exact, tf32));
  tolerance->atol = std::max(tolerance->atol,
                             policy_.error_multiple / 2 * errors.max_abs_error);
  return base::Ok();
}

Result<std::optional<record::Mismatch>> Exam::Check(
    const Answer& answer, std::vector<std::string>* notes) {
  if (!measured_) {
    KB_ASSIGN(const bool right, IsPresumed(answer));
    if (right) return std::optional<record::Mismatch>();
    KB_TRY(MeasureTolerance());
  }
  KB_ASSIGN(auto mismatch,
            Compare(exact_.empty() ? eager_ : exact_, answer, tolerances_));
  if (!mismatch) return mismatch;
  return CompareMoreExactly(std::move(*mismatch), answer, notes);
}

// Whether rounding alone decides in what the answer differs from float64's: an
// integer is right that is PyTorch's own or float64's. Where the two agree the
// answer is wrong of both or of neither, where they do not it is wrong of one
// at least: as many more as there are wrong ones than places where they differ
// are wrong of both, where they agree twice.
Result<bool> Exam::IsRoundedEitherWay(const record::Mismatch& mismatch,
                                      size_t output, const Answer& answer) {
  const TensorView& exact = exact_.at(output);
  const TensorView& eager = eager_.at(output);
  if (record::IsFloating(eager.spec.dtype) || !mismatch.structure.empty())
    return false;
  const auto count = [&](const TensorView& expected, const std::byte* actual) {
    return parts_.kernels->CountWrong(expected.data, expected.spec.dtype,
                                      actual, eager.spec.dtype,
                                      eager.spec.Elements(), {});
  };
  KB_ASSIGN(const uint64_t apart, count(exact, eager.data));
  KB_ASSIGN(const uint64_t of_exact, count(exact, answer.outputs.at(output)));
  KB_ASSIGN(const uint64_t of_eager, count(eager, answer.outputs.at(output)));
  // Else it was changed since.
  if (of_exact != static_cast<uint64_t>(mismatch.wrong)) return false;
  const uint64_t of_both = of_exact + of_eager - apart;
  if (of_both == 0) return true;
  if (!AreFew(mismatch)) return false;
  return AreRoundedElsewhere(mismatch, (of_both + 1) / 2, output);
}

// Another order of summation crosses a step at other elements than PyTorch's
// does: as few, and by as little, as its answers do whose inputs moved by their
// last bit.
Result<bool> Exam::AreRoundedElsewhere(const record::Mismatch& mismatch,
                                       uint64_t elements, size_t output) {
  const TensorView& exact = exact_.at(output);
  uint64_t most = 0;
  double furthest = 0;
  for (uint64_t move = 1; move <= kMoves; ++move) {
    const auto moved = parts_.reference->ForwardNudged(move);
    if (!moved || !HasSpecs(*moved)) return false;
    const TensorView& there = moved->at(output);
    KB_ASSIGN(const device::Tally tally,
              parts_.kernels->Compare(exact.data, exact.spec.dtype, there.data,
                                      there.spec.dtype, there.spec.Elements(),
                                      {}, 0));
    most = std::max(most, static_cast<uint64_t>(tally.wrong));
    furthest = std::max(furthest, tally.max_abs_error);
  }
  return static_cast<double>(elements) <= kOfFew * static_cast<double>(most) &&
         mismatch.max_abs_error <= furthest;
}

Result<std::optional<record::Mismatch>> Exam::Compare(
    const std::vector<TensorView>& expected, const Answer& answer,
    const Tolerances& tolerances) {
  for (size_t i = 0; i < expected.size(); ++i) {
    verify::Comparison question;
    question.output = static_cast<int64_t>(i);
    question.spec = specs_.at(i);
    question.expected = expected[i].data;
    question.expected_dtype = expected[i].spec.dtype;
    question.actual = answer.outputs.at(i);
    question.tolerance = tolerances.at(i);
    question.poison_seed = answer.poison_seed;
    question.trial_seed = seed_;
    question.expects_nan = !finite_.value_or(true);
    KB_ASSIGN(auto mismatch, verifier_.Check(question));
    if (mismatch && &expected == &exact_) {
      KB_ASSIGN(const bool rounded, IsRoundedEitherWay(*mismatch, i, answer));
      if (rounded) continue;
    }
    // Rounding operands errs in the same places for everybody.
    const bool by_order =
        Measures() && policy_.precision != record::PrecisionRule::kTf32;
    // A few steps of 8 bits are as much as the number itself.
    if (mismatch && by_order && AreFew(*mismatch) &&
        !record::IsFloat8(question.spec.dtype)) {
      question.tolerance = Scaled(question.tolerance, kOfFew);
      KB_ASSIGN(mismatch, verifier_.Check(question));
    }
    if (!mismatch && &expected == &exact_ && HasSlack(i)) {
      KB_ASSIGN(mismatch, CompareEach(i, question));
    }
    if (mismatch && as_) mismatch->inputs = record::DistributionName(*as_);
    if (mismatch) return mismatch;
  }
  return std::optional<record::Mismatch>();
}

// A kernel that rounds less than PyTorch can be further from its answer than a
// fixed tolerance: PyTorch's convolutions use TF32 by default, and in 16 bits
// each of its steps rounds. Agreement with the answer without TF32 or with that
// in float64 is right as well.
Result<std::optional<record::Mismatch>> Exam::CompareMoreExactly(
    record::Mismatch mismatch, const Answer& answer,
    std::vector<std::string>* notes) {
  if (Measures() || policy_.procedure == record::Procedure::kOriginal ||
      mismatch.unwritten > 0)
    return std::optional(std::move(mismatch));
  const auto agrees = [&](const std::vector<TensorView>& expected,
                          const char* note) -> Result<bool> {
    KB_ASSIGN(const auto wrong, Compare(expected, answer, tolerances_));
    if (!wrong && std::ranges::find(*notes, note) == notes->end())
      notes->emplace_back(note);
    return !wrong;
  };
  if (parts_.device->is_cuda()) {
    KB_ASSIGN(const auto precise, parts_.reference->ForwardPrecise());
    KB_ASSIGN(const bool right,
              agrees(precise,
                     "agrees with the reference in full float32; "
                     "PyTorch's default used TF32"));
    if (right) return std::optional<record::Mismatch>();
  }
  if (!parts_.exact_fits || parts_.reference->nature().random)
    return std::optional(std::move(mismatch));
  const auto exact = parts_.reference->ForwardInDouble();
  const auto shape_of = [](const TensorView& view) { return view.spec.shape; };
  if (!exact || !std::ranges::equal(*exact, specs_, {}, shape_of,
                                    &record::TensorSpec::shape))
    return std::optional(std::move(mismatch));
  KB_ASSIGN(const bool right,
            agrees(*exact,
                   "agrees with the reference in float64, from which "
                   "PyTorch's own answer is further"));
  if (right) return std::optional<record::Mismatch>();
  return std::optional(std::move(mismatch));
}

}  // namespace kb::oracle
