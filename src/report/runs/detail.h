#pragma once

#include "base/json.h"
#include "report/runs.h"

namespace kb::report {

// One candidate as the page's script shows it. Texts are visible and of bounded
// length; the source is not in it.
base::Json DetailJson(const BookRun& run, const BookSample& sample,
                      const record::Evaluation& evaluation);

// One problem, without its source.
base::Json ProblemJson(const BookProblem& problem);

// Five significant digits; null when it is no number.
base::Json Rounded(double value);

}  // namespace kb::report
