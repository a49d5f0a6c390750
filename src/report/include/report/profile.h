#pragma once

#include <string>

#include "record/evaluation.h"

namespace kb::report {

// Where an evaluation's time goes, for a terminal: what holds it back, the
// figures that decide, and its functions or kernels; without a profile the
// verdict and why there is none.
std::string RenderProfile(const record::Evaluation& evaluation, bool colour);

}  // namespace kb::report
