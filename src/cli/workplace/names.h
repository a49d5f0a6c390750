#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "record/evaluation.h"
#include "record/problem.h"

namespace kb::workplace {

std::vector<std::string> NamesOf(const std::vector<record::Flag>& flags);
// "not_run" without one.
const char* NameOf(const std::optional<record::Verdict>& verdict);
std::vector<std::string> NamesOf(
    const std::vector<record::Precision>& precisions);

// "level1/19 sample 0"
std::string SampleName(const std::string& problem_id, int64_t sample);

}  // namespace kb::workplace
