#include "analysis/certify.h"

#include <fmt/format.h>

namespace kb::analysis {

void RefuseImpossible(record::Outcome* outcome) {
  if (outcome->verdict != record::Verdict::kCorrect || !outcome->candidate_us ||
      *outcome->candidate_us >= outcome->floor_us)
    return;
  outcome->verdict = record::Verdict::kNotCertified;
  outcome->reason =
      fmt::format("{:.4g} us a call is below the floor of {:.4g} us",
                  *outcome->candidate_us, outcome->floor_us);
  outcome->speedup.reset();
  outcome->wall_speedup.reset();
}

}  // namespace kb::analysis
