#include "digest.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

#include "base/check.h"
#include "html/format.h"
#include "html/html.h"

namespace kb::report {
namespace {

using record::Verdict;

std::optional<Verdict> VerdictOf(size_t category) {
  if (category >= kNotRun) return std::nullopt;
  return static_cast<Verdict>(category);
}

// 0: the best correct sample of a problem and run; 1: the best of another
// verdict; 2: one more.
std::vector<int> RanksOf(const Book& book, const std::vector<size_t>& ordered,
                         Digest* digest) {
  std::vector<int> ranks(book.samples.size(), 2);
  for (const size_t i : ordered) {
    const BookSample& sample = book.samples[i];
    KB_CHECK(sample.problem < book.problems.size());
    KB_CHECK(sample.run < book.runs.size());
    KB_CHECK(!sample.detail || *sample.detail < book.details.size());
    Tally& tally = digest->tallies[sample.problem][sample.run];
    const size_t category = CategoryOf(sample.outcome);
    ++tally.samples;
    const bool first = !tally.categories[category];
    tally.categories.set(category);
    if (first) ranks[i] = 1;
    if (sample.outcome.verdict != Verdict::kCorrect) continue;
    ++tally.correct;
    if (!first) continue;
    tally.best = i;
    ranks[i] = 0;
  }
  return ranks;
}

}  // namespace

size_t CategoryOf(const record::Outcome& outcome) {
  if (outcome.unusable) return kNotRun + static_cast<size_t>(*outcome.unusable);
  return outcome.verdict ? static_cast<size_t>(*outcome.verdict) : kNotRun;
}

std::string CategoryName(size_t category) {
  if (category <= kNotRun) return html::FormatVerdict(VerdictOf(category));
  switch (static_cast<record::GenerationStatus>(category - kNotRun)) {
    case record::GenerationStatus::kTruncated:
      return "answer truncated";
    case record::GenerationStatus::kNoCode:
      return "answer without code";
    case record::GenerationStatus::kRefused:
      return "answer refused";
    default:
      return "answer unusable";
  }
}

const char* CategoryStyle(size_t category) {
  // As what does not compile.
  if (category > kNotRun) return html::VerdictKind(Verdict::kCompileError);
  return html::VerdictKind(VerdictOf(category));
}

std::optional<double> SpeedupOf(const BookSample& sample) {
  const auto& speedup = sample.outcome.speedup;
  if (!speedup || !std::isfinite(*speedup) || !(*speedup > 0))
    return std::nullopt;
  return speedup;
}

bool IsBetter(const BookSample& first, const BookSample& second) {
  const auto key = [](const BookSample& sample) {
    return std::tuple(CategoryOf(sample.outcome),
                      -SpeedupOf(sample).value_or(0));
  };
  return key(first) < key(second);
}

Digest MakeDigest(const Book& book, size_t rows) {
  Digest digest;
  digest.tallies.assign(book.problems.size(),
                        std::vector<Tally>(book.runs.size()));
  std::vector<size_t> ordered(book.samples.size());
  std::iota(ordered.begin(), ordered.end(), size_t{0});
  const auto is_better = [&](size_t a, size_t b) {
    return IsBetter(book.samples[a], book.samples[b]);
  };
  std::stable_sort(ordered.begin(), ordered.end(), is_better);
  const std::vector<int> ranks = RanksOf(book, ordered, &digest);

  digest.important = ordered;
  std::stable_sort(digest.important.begin(), digest.important.end(),
                   [&](size_t a, size_t b) {
                     const auto key = [&](size_t i) {
                       return std::tuple(ranks[i], !book.samples[i].detail);
                     };
                     return key(a) < key(b);
                   });
  if (digest.important.size() > rows) digest.important.resize(rows);
  digest.listed = digest.important;
  std::sort(digest.listed.begin(), digest.listed.end());
  std::stable_sort(digest.listed.begin(), digest.listed.end(), is_better);
  return digest;
}

const analysis::Row* RowOf(const analysis::Scores& scores,
                           const std::string& run, const std::string& group) {
  const auto row = std::find_if(scores.rows.begin(), scores.rows.end(),
                                [&](const analysis::Row& each) {
                                  return each.run == run && each.group == group;
                                });
  return row == scores.rows.end() ? nullptr : &*row;
}

std::optional<size_t> IndexOfP(const analysis::ScoreOptions& options,
                               double p) {
  const auto at = std::find(options.ps.begin(), options.ps.end(), p);
  if (at == options.ps.end()) return std::nullopt;
  return static_cast<size_t>(at - options.ps.begin());
}

}  // namespace kb::report
