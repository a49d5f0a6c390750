#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "analysis/measured.h"
#include "analysis/roofline.h"
#include "analysis/scores.h"
#include "analysis/searches.h"
#include "record/baseline.h"
#include "record/evaluation.h"
#include "record/generation.h"
#include "record/outcome.h"

namespace kb::report {

// What a model was asked and answered in a turn of a search, and why that was
// not good.
struct BookTurn {
  std::string prompt;  // as Generation::prompt
  std::string answer;
  std::string source;  // "": there is no program
  bool is_python = false;
  std::string reason;  // of the verdict, or why there is no program
};

// Searches whose tree a page shows; of more it says so.
constexpr size_t kMostSearches = 40;

// One run: a model on a set of problems.
struct BookRun {
  std::string name;
  // {name, value}: model, prompt, sampling.
  std::vector<std::pair<std::string, std::string>> settings;
  record::DeviceFacts device;
  std::string isolation;
  std::optional<analysis::Measured> measured;  // absent: nothing was timed
  record::Usage tokens;
  std::optional<double> usd;                // of all answers; absent: not known
  int64_t answers = 0;                      // questions that were answered
  std::map<std::string, int64_t> unusable;  // answers without code, by status
  std::vector<analysis::Search> searches;   // where it was one
  std::string strategy;                     // of these, with its options
  // Of `searches`, by turn; of the first kMostSearches of all runs.
  std::vector<std::map<int64_t, BookTurn>> conversations;
};

struct BookProblem {
  std::string id;
  std::string name;
  std::vector<std::string> tags;
  std::vector<record::Flag> flags;
  std::string source;                // empty: the pack has it no more
  std::optional<record::Cost> cost;  // at the size of the runs
  std::vector<record::Baseline> baselines;
};

// One judged sample; everything small.
struct BookSample {
  size_t run = 0;      // index into runs
  size_t problem = 0;  // index into problems
  record::Outcome outcome;
  bool flagged = false;          // as analysis::Entry has it
  std::optional<size_t> detail;  // index into details
};

// fast_p for p on a grid.
struct FastCurve {
  size_t run = 0;
  std::vector<double> ps;
  std::vector<stats::Interval> values;
  int64_t problems = 0;  // of few, intervals say nothing
};

// All that a report of runs shows. Whatever came from a model or a problem is
// raw here; the renderer escapes.
struct Book {
  std::string title;
  std::string generated_at;  // UTC, ISO 8601
  std::string version;       // of kernelbench
  // What speedups by device time are over: "eager", ... Those by wall time are
  // over eager always.
  std::string baseline;
  // Above all: which ruler measured it, where that has to be said.
  std::string remark;
  std::vector<BookRun> runs;
  std::vector<BookProblem> problems;
  std::vector<BookSample> samples;
  // In full: what the page can open. Others of `samples` have their row only.
  std::vector<record::Evaluation> details;
  // The model's words that `details` were taken from, by their index; "" or
  // nothing: not known.
  std::vector<std::string> answers;
  analysis::ScoreOptions scoring;
  analysis::TwoScores scores;  // by run
  analysis::TwoScores table;   // by what `scoring` asks for
  analysis::TwoScores by_level;
  std::vector<FastCurve> curves;
  // The ceilings of the one device: measured where all timed samples carry
  // them. The data sheet stands beside those.
  std::optional<analysis::Roofline> roofline;
  std::optional<analysis::Roofline> data_sheet;

  // Those of the set of problems that `scoring` asks for, which all but the
  // table of scores shows.
  const analysis::Scores& by_run() const {
    return scoring.with_flagged ? scores.all : scores.sound;
  }
};

struct BookLimits {
  size_t max_bytes = 3 << 20;  // of the page: details are left out beyond
  size_t rows = 2000;          // samples listed one by one, best first
};

// One self-contained HTML page: no request leaves it, its tables read without
// JavaScript, and whatever a candidate wrote is shown as text.
std::string RenderBook(const Book& book, const BookLimits& limits = {});

}  // namespace kb::report
