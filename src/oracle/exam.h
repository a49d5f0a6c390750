#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "oracle/reference.h"
#include "record/evaluation.h"
#include "record/outside.h"
#include "trial_parts.h"
#include "verify/verify.h"

namespace kb::oracle {

// Whether an error of the reference is that there was no memory, which says
// nothing of its inputs: others may hold it.
bool SaysNoMemory(const std::string& error);

// A question (fresh inputs), its right answer, and how far off an answer may
// be.
class Exam {
 public:
  // `tolerance`: of the policy or the precision. With an error multiple it is
  // measured anew for every question, and each output has its own, where the
  // reference can run in float64 and draws no random numbers, which are others
  // there.
  Exam(const TrialParts& parts, record::Policy policy,
       record::Tolerance tolerance);

  // From now on a question's tolerance is measured only when its answer is not
  // right by what was measured of the ones before: the float64 reference takes
  // several times as long as all the rest. The least tolerance counts, and of
  // that as much less as PyTorch's own error may be: who is right by that is
  // right by the question's own, but for chance, and who is not is asked it.
  void MeasureWhenNeeded() { when_needed_ = true; }

  // Takes the memory of a question before somebody else can: a tolerance that
  // cannot be measured is a wider one.
  base::Result<void> Rehearse();
  // From now on inputs are as the problem draws them where PyTorch has no
  // finite answer to what the policy would make of them, and has one to these:
  // the logarithm of a negative number is no question. Returns
  // TrialParts::given as it is from now on; is asked once a problem.
  base::Result<Given> LookAtGiven();
  // Nothing: inputs are in the policy's style.
  using As = std::optional<record::Distribution>;
  base::Result<void> Draw(uint64_t seed, As as = {});
  // The inputs drawn last were copied to `places` (Reference::Keep), and need
  // not be drawn again for their question as long as no others are there. No
  // places: they lie where they were drawn, until others are.
  base::Result<void> Keep(size_t slot, const std::vector<TensorView>& places);
  // Whether inputs in the policy's style lie there.
  bool KeepsUsual(size_t slot) const;
  // Inputs, which are not drawn again when they are kept or the last ones
  // drawn, and the reference's outputs, with random generators in the state
  // that `generator_seed` (63 bits) says. Returns the reference's device time
  // in microseconds, about. The last question asked again costs nothing.
  base::Result<double> SetQuestion(uint64_t seed, uint64_t generator_seed,
                                   As as = {});

  // The current ones: what was drawn last, or the question's; empty before.
  const std::vector<TensorView>& inputs() const { return inputs_; }
  // Of the last question, or the least so far where its own has not been
  // measured; the largest of all outputs.
  record::Tolerance tolerance() const;
  // Why the policy's fixed tolerance stands in for a measured one, as a clause;
  // else empty.
  const std::string& unmeasured() const { return unmeasured_; }
  // Asks a question of inputs with a distribution of their own. Why nobody can
  // be judged by it; empty: one can. An error is ours: on what the problem
  // itself draws, for want of memory, which a candidate may hold, and where
  // PyTorch has made a GPU fail, which answers nothing any more.
  base::Result<std::string> WhyUnfit(uint64_t seed, uint64_t generator_seed,
                                     record::Distribution as);
  // Of the outputs, and the reference's own ones in the run's precision.
  const std::vector<record::TensorSpec>& specs() const { return specs_; }
  const std::vector<TensorView>& eager() const { return eager_; }
  // In float64, where the tolerance was measured with them; else empty. Valid
  // until the next SetQuestion, Check or ForwardInDouble.
  const std::vector<TensorView>& exact() const { return exact_; }

  // Outputs that were poisoned with `poison_seed` before they were computed and
  // have the specs of the reference's.
  struct Answer {
    std::vector<const std::byte*> outputs;
    uint64_t poison_seed = 0;
  };
  // How the answer is wrong; nothing when it is right. What there is to say of
  // a right one is added to `notes`.
  base::Result<std::optional<record::Mismatch>> Check(
      const Answer& answer, std::vector<std::string>* notes);

 private:
  using Tolerances = std::vector<record::Tolerance>;  // one for each output

  bool IsAsked(uint64_t seed, As as) const;
  bool Measures() const {
    return policy_.error_multiple > 0 && !parts_.reference->nature().random;
  }
  base::Result<void> MixInputs(uint64_t seed);
  // False: PyTorch refuses the inputs.
  base::Result<bool> AnswerTo(As as);
  base::Result<double> SpreadOf(const TensorView& output);
  // Of a floating output, how many elements zero would be wrong for. Nothing:
  // no room.
  base::Result<std::optional<uint64_t>> CountFarFromZero(
      const TensorView& view, record::Tolerance tolerance);
  // Whether all of PyTorch's answer is.
  base::Result<bool> IsFinite();
  base::Result<bool> IsBounded();
  base::Result<bool> IsRoundedEitherWay(const record::Mismatch& mismatch,
                                        size_t output, const Answer& answer);
  base::Result<bool> AreRoundedElsewhere(const record::Mismatch& mismatch,
                                         uint64_t elements, size_t output);
  // Empty: nothing may be presumed.
  Tolerances Presumed() const;
  // PyTorch's own error is no more than two parts in `error_multiple` of what
  // is measured of it.
  double PresumedPart() const { return 1 - 2 / policy_.error_multiple; }
  base::Result<void> TakeOrDraw(uint64_t seed, As as);
  base::Result<void> MeasureTolerance();
  base::Result<bool> IsAnotherInDouble(const Tolerances& measured);
  bool HasSpecs(const std::vector<TensorView>& outputs) const;
  double OfMoves(size_t output) const;
  bool HasSlack(size_t output) const {
    return parts_.slack != nullptr && parts_.slack->Has(output);
  }
  base::Result<void> MeasureSlack();
  base::Result<bool> HidesMost(size_t output);
  base::Result<void> LimitFixed();
  base::Result<void> KeepSlackThatHolds(size_t output);
  record::Tolerance WithSlack(size_t output) const;
  base::Result<std::optional<record::Mismatch>> CompareEach(
      size_t output, const verify::Comparison& question);
  base::Result<bool> IsPresumed(const Answer& answer);
  base::Result<void> WidenOutside();
  base::Result<device::Kernels::Errors> ErrorsOf(const TensorView& expected,
                                                 const TensorView& actual);
  // The tolerance that one output needs, how large its values are, and whether
  // PyTorch used TF32 for it.
  struct Measured {
    record::Tolerance tolerance;
    double rms = 0;
    bool in_tf32 = false;
  };
  base::Result<Measured> Measure(const TensorView& exact,
                                 const TensorView& eager,
                                 const TensorView* precise);
  base::Result<void> WidenForTf32(const TensorView& exact,
                                  const TensorView& tf32,
                                  record::Tolerance* tolerance);
  base::Result<std::optional<record::Mismatch>> Compare(
      const std::vector<TensorView>& expected, const Answer& answer,
      const Tolerances& tolerances);
  base::Result<std::optional<record::Mismatch>> CompareMoreExactly(
      record::Mismatch mismatch, const Answer& answer,
      std::vector<std::string>* notes);

  TrialParts parts_;
  record::Policy policy_;
  record::Tolerance fixed_tolerance_;
  Tolerances tolerances_;
  std::string unmeasured_;
  Tolerances least_;          // measured of usual inputs
  std::vector<bool> slack_;   // of an output, whether it had some with these
  bool when_needed_ = false;  // MeasureWhenNeeded
  bool measured_ = false;     // tolerances_ are the question's
  verify::Verifier verifier_;
  std::unique_ptr<device::SharedMemory> zeros_;  // when first needed
  struct Kept {
    uint64_t seed = 0;
    As as;
    std::vector<TensorView> inputs;
  };
  std::map<size_t, Kept> kept_;  // by slot
  uint64_t seed_ = 0;            // of the inputs
  As as_;                        // their distribution
  bool fresh_ = false;           // drawn, and no reference has run on them
  // The question's, whose inputs are still there. Nothing: they may not be.
  std::optional<uint64_t> asked_;
  std::optional<bool> finite_;  // the first question's answers
  // Of each output; 0 and false where it is not measured.
  std::vector<double> rms_;
  std::vector<bool> in_tf32_;
  std::vector<record::TensorSpec> specs_;  // of the outputs
  std::vector<TensorView> inputs_;
  std::vector<TensorView> eager_;
  std::vector<TensorView> exact_;  // in float64, or empty
};

}  // namespace kb::oracle
