#pragma once

#include <string>

#include "chart.h"
#include "html/facts.h"
#include "html/page_template.h"
#include "record/evaluation.h"

namespace kb::report {

using html::Data;

// The facts as a list of {name, value}.
Data ToData(const html::FactList& facts);

// Everything the template says of one candidate: its row and its section,
// which links reach by `id`.
Data CandidateData(const record::Evaluation& evaluation, const std::string& id,
                   const SpeedupAxis& axis);

}  // namespace kb::report
