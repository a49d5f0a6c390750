#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "eval/session.h"
#include "problems/expectation.h"
#include "workplace/workplace.h"

namespace kb::cli {

// A candidate whose header says what must come out.
struct Sample {
  eval::Task task;
  problems::Expectation expectation;
};

// The paths of all samples in `folder` that contain `filter`, sorted; an Error
// when there is none.
base::Result<std::vector<std::string>> FindSamples(const std::string& folder,
                                                   const std::string& filter);

// The sample as it is to be judged here. `trials`: timed ones, else as the
// policy says.
base::Result<Sample> LoadSample(const std::string& path,
                                const std::optional<int64_t>& trials,
                                const workplace::Workplace& workplace);

}  // namespace kb::cli
