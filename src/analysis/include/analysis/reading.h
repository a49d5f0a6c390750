#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "analysis/scores.h"
#include "analysis/turns.h"
#include "record/baseline.h"

namespace kb::analysis {

// What stores say of runs, ready to be scored: one ruler measured all of it.
struct RunReading {
  std::vector<std::string> paths;
  std::vector<std::string> names;  // of the runs, all different
  std::vector<std::map<std::string, std::string>> manifests;
  std::vector<Entry> entries;        // one of each sample of a model
  std::vector<TurnEntries> by_turn;  // of runs whose samples take several turns
  std::vector<Optimism> optimism;
  std::vector<record::Baseline> baselines;
  std::string baseline = "eager";  // as BaselineModesOf takes it
  int64_t without_baseline = 0;    // entries that lost their speedup for that
  int64_t ruler = 0;               // its version; 0: nothing was timed
  int64_t foreign = 0;             // speedups that no ruler of ours measured
  int64_t superseded = 0;          // results of samples that were judged again
};

}  // namespace kb::analysis
