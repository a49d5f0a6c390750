#pragma once

#include <bitset>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "report/runs.h"

namespace kb::report {

// What can become of a sample: the verdicts in the order of their enumeration,
// then "not run", then what answers without a candidate are.
constexpr size_t kNotRun =
    static_cast<size_t>(record::Verdict::kInfraError) + 1;
constexpr size_t kCategories =
    kNotRun + static_cast<size_t>(record::GenerationStatus::kFailed) + 1;
size_t CategoryOf(const record::Outcome& outcome);
std::string CategoryName(size_t category);  // "not certified"
const char* CategoryStyle(
    size_t category);  // the style class, as VerdictKind()

// What became of one problem in one run.
struct Tally {
  int64_t samples = 0;
  int64_t correct = 0;
  std::optional<size_t> best;  // the correct sample to show first
  std::bitset<kCategories> categories;
};

// What several parts of the page need of all samples.
struct Digest {
  std::vector<std::vector<Tally>> tallies;  // [problem][run]
  std::vector<size_t> listed;     // samples with a row, the best first
  std::vector<size_t> important;  // the same, what must stay in a small page
                                  // first
};

// Wants indexes that are within the book.
Digest MakeDigest(const Book& book, size_t rows);

// In the order of the verdicts, correct first; then not run, then answers that
// cannot be used. Fast before slow.
bool IsBetter(const BookSample& first, const BookSample& second);

// A speedup that can be drawn and compared.
std::optional<double> SpeedupOf(const BookSample& sample);

// The row of `scores` that stands for a run; null: nothing of it was counted.
const analysis::Row* RowOf(const analysis::Scores& scores,
                           const std::string& run, const std::string& group);

// Where p is among the scores' thresholds.
std::optional<size_t> IndexOfP(const analysis::ScoreOptions& options, double p);

}  // namespace kb::report
