#pragma once

#include <kainjow/mustache.hpp>
#include <optional>

#include "chart.h"
#include "facts.h"
#include "record/evaluation.h"

namespace kb::report {

using Data = kainjow::mustache::data;

// The facts as a list of {name, value}.
Data ToData(const FactList& facts);

// Everything the template says of one candidate: its row and its section.
Data CandidateData(const record::Evaluation& evaluation, size_t index,
                   const SpeedupAxis& axis);

// The style class of a verdict, the same in row, badge and share bar.
const char* VerdictKind(const std::optional<record::Verdict>& verdict);

}  // namespace kb::report
