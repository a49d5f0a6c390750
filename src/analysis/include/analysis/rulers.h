#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analysis/scores.h"
#include "base/result.h"

// Results of different rulers (record::Ruler) are never in one score.
namespace kb::analysis {

// Whether it is a numbered sample of a model, and no file that somebody judged.
bool IsOfAModel(const record::Outcome& outcome);

// Leaves one result of each sample of a model, the newest, and our own failures
// only where there is no other; and leaves out what an earlier ruler measured
// where the same candidate was judged again later in the same run. Results of
// one device count against those of no other, and what reached none, in a run
// of several devices, against its like alone. How many it left out.
int64_t DropSuperseded(std::vector<Entry>* entries);

// The version of the ruler that measured every timed entry; 0: nothing was
// timed. A usage error names the samples of an older one when there are two.
base::Result<int64_t> RulerOf(const std::vector<Entry>& entries);

// Entries with a speedup that no ruler of ours measured (imported ones).
int64_t CountForeign(const std::vector<Entry>& entries);

// A usage error when an entry has a speedup by device time but none by wall
// time: scores by wall time would take it for slow.
base::Result<void> CheckWallTimes(const std::vector<Entry>& entries);

// What stands above scores of results that version `ruler` measured; empty when
// it is today's.
std::string RulerRemark(int64_t ruler);

}  // namespace kb::analysis
