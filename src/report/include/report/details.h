#pragma once

#include <string>

#include "record/evaluation.h"

namespace kb::report {

// One evaluation for a terminal: verdict, times, and on failure what a person
// needs to find the bug.
std::string RenderDetails(const record::Evaluation& evaluation, bool colour);

}  // namespace kb::report
