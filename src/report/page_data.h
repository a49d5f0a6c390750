#pragma once

#include <kainjow/mustache.hpp>
#include <string>
#include <string_view>

#include "chart.h"
#include "record/evaluation.h"

namespace kb::report {

using Data = kainjow::mustache::data;

// A list of {name, value} for a <dl>.
class Facts {
 public:
  // Leaves out what has no value.
  Facts& Add(const char* name, std::string_view value);
  Data Take() { return Data(list_); }

 private:
  kainjow::mustache::list list_;
};

// Everything the template says of one candidate: its row and its section.
Data CandidateData(const record::Evaluation& evaluation, size_t index,
                   const SpeedupAxis& axis);

// The style class of a verdict, the same in row, badge and share bar.
const char* VerdictKind(const record::Evaluation& evaluation);

}  // namespace kb::report
