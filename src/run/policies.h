#pragma once

#include <map>
#include <string>
#include <vector>

#include "analysis/reading.h"

namespace kb::run {

// A store of files that were judged by several policies becomes a run for each,
// "NAME under POLICY": a file that was judged by two is not two samples.
// Samples of models keep the run's name, and so does what no policy judged.
void TakePoliciesApart(analysis::RunReading* reading);

// Gives each run that stands in `become` the names there in place of its own.
// The entries' names are left as they are.
void RenameRuns(const std::map<std::string, std::vector<std::string>>& become,
                analysis::RunReading* reading);

}  // namespace kb::run
