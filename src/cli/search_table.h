#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "analysis/turns.h"
#include "record/evaluation.h"
#include "record/generation.h"
#include "record/outcome.h"

namespace kb::cli {

// The searches of a run, a row each: how far they are, what is the best so far,
// and what they wait for. Indexes are those of `names`.
class SearchTable {
 public:
  explicit SearchTable(const std::vector<std::string>& names);

  // What the store has from before; "level1/19 sample 0" is the name that
  // finds its row.
  void AddKnown(const record::Generation& answer);
  void AddKnown(const record::Outcome& outcome);
  void Add(size_t index, const record::Generation& answer);
  void Add(size_t index, const record::Evaluation& evaluation);
  // What it does; "": nothing.
  void SetStep(size_t index, const std::string& step);
  void End(size_t index);

  // At most so many rows, those at work first, then those that were; of more
  // the last line says how many. "" before anything happened.
  std::string Text(size_t rows) const;

 private:
  struct Row {
    int64_t turns = 0;  // answered
    double usd = 0;
    analysis::TurnRank rank;
    std::string best;  // "2.31x", "incorrect"; empty: nothing is judged
    std::string step;
    bool is_over = false;
  };
  void Judge(Row* row, std::optional<record::Verdict> verdict,
             std::optional<double> speedup);
  std::string Line(size_t index, size_t width) const;

  const std::vector<std::string> names_;
  std::map<std::string, size_t> places_;  // by name
  std::map<size_t, Row> rows_;            // those that have begun
};

}  // namespace kb::cli
