#pragma once

#include <chrono>
#include <map>
#include <string>
#include <vector>

#include "os/status_line.h"
#include "run/run.h"
#include "search_table.h"

namespace kb::cli {

// A run as it goes: answers and verdicts, on a terminal as a table that stays
// current, else as a line each.
class RunTable : public run::RunObserver {
 public:
  // `names`: of the samples, by index. `judges`: an answer's code is judged
  // here, so that an answer alone is not the end of a sample. `has_turns`: a
  // sample may take several answers, and ends when OnSampleEnd says so.
  RunTable(std::string title, std::vector<std::string> names, bool judges,
           bool has_turns = false);

  void OnKnownAnswer(const record::Generation& generation) override;
  void OnKnownVerdict(const record::Outcome& outcome) override;
  void OnAsking(size_t index, const std::string& step) override;
  void OnJudging(size_t index, const std::string& step) override;
  void OnAnswer(size_t index, const record::Generation& generation) override;
  void OnVerdict(size_t index, const record::Evaluation& evaluation) override;
  void OnUnanswered(size_t index, const std::string& why) override;
  void OnNotice(const std::string& text) override;
  void OnSampleEnd(size_t index, bool before) override;

  // Takes the table off the terminal.
  void Close() { line_.Show(""); }

  // "2 answered, 0.0132 USD: 1 complete, 1 no_code"
  std::string Summary() const;

 private:
  // Whether the answer leaves nothing more to do.
  bool Settles(const record::Generation& generation) const;
  // Another result, which is a sample's last unless there are turns.
  void CountHere();
  std::string NameOf(size_t index, int64_t turn, bool again) const;
  void AddCost(const record::Generation& generation);
  std::string Cost() const;
  std::string Counts() const;
  void Draw();
  std::string Block() const;
  std::string AtWork() const;

  const std::string title_;
  const std::vector<std::string> names_;
  const bool judges_;
  const bool has_turns_;
  const std::chrono::steady_clock::time_point start_ =
      std::chrono::steady_clock::now();
  os::StatusLine line_;
  SearchTable searches_;                   // where there are turns
  std::map<std::string, int64_t> counts_;  // by verdict or answer's status
  int64_t answered_ = 0;
  int64_t settled_ = 0;       // judged, or nothing to judge
  int64_t settled_here_ = 0;  // of these: in this process
  double usd_ = 0;
  int64_t unpriced_ = 0;
  std::map<size_t, std::string> asking_;
  std::string judging_;
};

}  // namespace kb::cli
