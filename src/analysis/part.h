#pragma once

#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "analysis/scores.h"

namespace kb::analysis {

// The samples of one row of scores.
class Part {
 public:
  void Add(const Entry& entry, Time time);
  // By problem; a problem at another size or precision is another one.
  std::vector<Attempts> Problems() const;
  Row ToRow(const std::string& run, const std::string& group,
            const ScoreOptions& options) const;

 private:
  void Count(const Entry& entry, const Sample& sample);
  void Price(Row* row) const;
  std::vector<std::string> UnlikePaper() const;

  std::map<std::string, Attempts> problems_;
  std::map<std::string, std::set<std::string>> levels_;  // problems' ids
  std::set<std::string> settings_;  // that are not those of the paper
  std::map<std::string, stats::Weighted> roofline_;  // by problem
  std::map<std::string, stats::Weighted> own_;
  // Answers by who was asked (AskedBy), problem and sample: one may be judged
  // several times.
  std::map<std::tuple<std::string, std::string, int64_t>, double> prices_;
  bool priced_ = true;  // all of them
  int64_t correct_ = 0;
  int64_t fast_ = 0;
  Row counts_;  // what is only counted
};

}  // namespace kb::analysis
