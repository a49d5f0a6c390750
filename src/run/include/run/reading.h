#pragma once

#include <map>
#include <string>
#include <vector>

#include "analysis/scores.h"
#include "base/result.h"
#include "problems/pack.h"
#include "record/baseline.h"

namespace kb::run {

// What stores say of runs, ready to be scored: one ruler measured all of it.
struct RunReading {
  std::vector<std::string> paths;
  std::vector<std::string> names;  // of the runs, all different
  std::vector<std::map<std::string, std::string>> manifests;
  std::vector<analysis::Entry> entries;
  std::vector<record::Baseline> baselines;
  record::BaselineMode baseline = record::BaselineMode::kEager;
  int64_t without_baseline = 0;  // entries left out for that
  int64_t ruler = 0;             // its version; 0: nothing was timed
  int64_t foreign = 0;           // speedups that no ruler of ours measured
  int64_t superseded = 0;        // results of samples that were judged again
};

// Speedups by device time are over `baseline`, whose times come from the runs
// and from the store of baselines. A sample that was judged again after an
// earlier ruler had measured it counts as the later one says; where results of
// two rulers remain, that is a usage error.
base::Result<RunReading> ReadRuns(const std::vector<std::string>& runs,
                                  const problems::Pack& pack,
                                  const std::string& baseline);

// The share of the device's data sheet ceiling that a median time reaches:
// the longer of moving the compulsory bytes and of the FLOPs, over the time.
// `cost` is of fp32, so there is none in another precision.
std::optional<double> RooflineShare(const record::Cost& cost,
                                    double bandwidth_gbps, double tflops,
                                    double candidate_us);

}  // namespace kb::run
