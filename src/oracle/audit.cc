#include "audit.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "base/random.h"
#include "base/text.h"
#include "distributions.h"
#include "stats/summary.h"

namespace kb::oracle {
namespace {

using base::Result;
using record::MutantResult;
using Status = record::MutantResult::Status;

// The first two make the earlier outputs that some mutants answer with.
constexpr std::array<uint64_t, 5> kSeeds{42, 123, 456, 789, 1337};
constexpr size_t kEarlier = 2;

std::string Describe(const record::Mismatch& mismatch) {
  return fmt::format("{} of {} wrong in output {}{}{}", mismatch.wrong,
                     mismatch.elements, mismatch.output,
                     mismatch.pattern.empty() ? "" : ": ", mismatch.pattern);
}

class Auditor {
 public:
  Auditor(const TrialParts& parts, const record::Policy& policy,
          record::Tolerance tolerance)
      : parts_(parts), policy_(policy), exam_(parts, policy, tolerance) {}

  Result<void> Run(const Reference::Inspection& inspection, bool mutants,
                   record::Audit* audit) {
    if (mutants)
      for (const std::string& name : inspection.mutants)
        audit->mutants.push_back({name, Status::kNotApplicable, "", "", {}});
    KB_TRY(exam_.LookAtGiven());
    std::vector<double> times;
    for (size_t i = 0; i < kSeeds.size(); ++i) {
      KB_ASSIGN(const double micros,
                exam_.SetQuestion(kSeeds.at(i), base::SecretSeed() >> 1));
      times.push_back(micros);
      KB_TRY(CheckReference(audit));
      if (mutants && i == kEarlier) KB_TRY(MeasureHonest(audit));
      if (i < kEarlier) continue;
      for (MutantResult& mutant : audit->mutants)
        KB_TRY(Put(i == kEarlier, "public", &mutant));
    }
    KB_TRY(exam_.SetQuestion(base::SecretSeed(), base::SecretSeed() >> 1));
    for (MutantResult& mutant : audit->mutants)
      KB_TRY(Put(false, "secret", &mutant));
    if (mutants) KB_TRY(PutOutside(audit));
    audit->reference_us = stats::Median(times);
    return base::Ok();
  }

 private:
  // The reference's own answer, given again.
  Result<void> CheckReference(record::Audit* audit) {
    KB_ASSIGN(const auto again, parts_.reference->Mutate(Reference::kAgain));
    if (!again) return base::Fail("the reference cannot run again");
    const auto& first = exam_.eager();
    for (size_t i = 0; i < again->size() && i < first.size(); ++i) {
      const TensorView& output = first[i];
      KB_ASSIGN(const uint64_t different,
                parts_.kernels->CountDifferent(output.data, (*again)[i].data,
                                               output.spec.Bytes()));
      if (different != 0) audit->repeatable = false;
      KB_ASSIGN(const device::Tally tally,
                parts_.kernels->Compare(output.data, output.spec.dtype,
                                        output.data, output.spec.dtype,
                                        output.spec.Elements(), {}, 0));
      if (tally.wrong != 0 || std::isinf(tally.max_actual) ||
          std::isinf(tally.min_actual))
        audit->finite = false;
    }
    return base::Ok();
  }

  // What the rounding of the run's precision needs. TF32 needs more, but who
  // uses it is compared with a reference that does.
  Result<void> MeasureHonest(record::Audit* audit) {
    std::vector<TensorView> precise = exam_.eager();
    if (parts_.device->is_cuda()) {
      KB_ASSIGN(precise, parts_.reference->ForwardPrecise());
    }
    std::vector<TensorView> exact = exam_.exact();
    if (exact.empty())
      exact = parts_.reference->ForwardInDouble().value_or(exact);
    if (exact.size() != precise.size()) return base::Ok();
    KB_ASSIGN(const double honest, LeastTolerance(exact, precise));
    if (std::isfinite(honest)) audit->honest_tolerance = honest;
    return base::Ok();
  }

  // The smallest atol = rtol with which all floating outputs agree. Infinite
  // where one is finite and the other is not.
  Result<double> LeastTolerance(const std::vector<TensorView>& expected,
                                const std::vector<TensorView>& actual) {
    double least = 0;
    for (size_t i = 0; i < expected.size(); ++i) {
      const record::TensorSpec& spec = actual[i].spec;
      if (expected[i].spec.dtype != spec.dtype &&
          expected[i].spec.dtype != record::DType::kFloat64)
        continue;
      KB_ASSIGN(const device::Tally tally,
                parts_.kernels->Compare(
                    expected[i].data, expected[i].spec.dtype, actual[i].data,
                    spec.dtype, spec.Elements(), {1e300, 0}, 0));
      if (tally.wrong > 0) return std::numeric_limits<double>::infinity();
      if (record::IsFloating(spec.dtype))
        least = std::max(least, tally.least_tolerance);
    }
    return least;
  }

  // As candidates are tried on other distributions.
  Result<void> PutOutside(record::Audit* audit) {
    for (const record::Distribution as :
         TrialsOutside(policy_, false, parts_.reference->nature(),
                       audit->inputs, audit->outputs)) {
      KB_ASSIGN(
          const std::string unfit,
          exam_.WhyUnfit(base::SecretSeed(), base::SecretSeed() >> 1, as));
      if (!unfit.empty()) continue;
      for (MutantResult& mutant : audit->mutants)
        KB_TRY(Put(false, record::DistributionName(as), &mutant));
    }
    return base::Ok();
  }

  // One mutant in a trial. `first`: it was in none yet.
  Result<void> Put(bool first, const char* trial, MutantResult* mutant) {
    if (!first && mutant->status != Status::kSurvived) return base::Ok();
    const auto made = parts_.reference->Mutate(mutant->name);
    if (!made) {
      mutant->status = Status::kFailed;
      mutant->detail = base::LastLine(made.error().message());
      return base::Ok();
    }
    if (!*made) return base::Ok();
    KB_ASSIGN(const std::string wrong, HowWrong(**made));
    mutant->status = wrong.empty() ? Status::kSurvived : Status::kKilled;
    mutant->trial = wrong.empty() ? "" : trial;
    mutant->detail = wrong;
    if (!HasStructure(**made)) return base::Ok();
    KB_ASSIGN(const double least, LeastTolerance(exam_.eager(), **made));
    if (std::isfinite(least)) mutant->least_tolerance = least;
    return base::Ok();
  }

  bool HasStructure(const std::vector<TensorView>& outputs) const {
    return std::ranges::equal(outputs, exam_.specs(), {}, &TensorView::spec);
  }

  Result<std::string> HowWrong(const std::vector<TensorView>& outputs) {
    const auto& specs = exam_.specs();
    if (outputs.size() != specs.size())
      return fmt::format("{} outputs, not {}", outputs.size(), specs.size());
    Exam::Answer answer;
    answer.poison_seed = base::SecretSeed();
    for (size_t i = 0; i < specs.size(); ++i) {
      if (outputs[i].spec != specs[i])
        return fmt::format("output {} is {}, not {}", i,
                           outputs[i].spec.ToString(), specs[i].ToString());
      answer.outputs.push_back(outputs[i].data);
    }
    std::vector<std::string> notes;
    KB_ASSIGN(const auto mismatch, exam_.Check(answer, &notes));
    return mismatch ? Describe(*mismatch) : std::string();
  }

  TrialParts parts_;
  record::Policy policy_;
  Exam exam_;
};

}  // namespace

Result<record::Audit> RunAudit(const TrialParts& parts,
                               const record::ProblemFacts& facts,
                               const record::Policy& policy,
                               record::Tolerance tolerance, bool mutants) {
  KB_TRY(parts.reference->Draw(kSeeds.front()));
  KB_ASSIGN(Reference::Inspection inspection, parts.reference->Inspect());
  record::Audit audit;
  audit.inputs = record::TensorsOf(facts.inputs);
  audit.outputs = facts.outputs;
  for (const record::NamedTensor& tensor : facts.state)
    audit.state_bytes += tensor.spec.Bytes();
  audit.flops = inspection.flops;
  audit.peak_bytes = inspection.peak_bytes;
  audit.unused_parameters = inspection.unused_parameters;
  audit.ignored_inputs = inspection.ignored_inputs;
  KB_TRY(Auditor(parts, policy, tolerance).Run(inspection, mutants, &audit));
  return audit;
}

}  // namespace kb::oracle
