#pragma once

#include <string>

#include "compile/toolchain.h"
#include "record/evaluation.h"

namespace kb::eval {

// Why this device cannot run the candidate, empty when it can.
std::string WhyNotRunnable(const record::Candidate& candidate, bool cuda,
                           const compile::Toolchain& tools);

// Which compiler the candidate needs and this machine lacks; empty: none.
std::string WhyNotBuilt(const record::Candidate& candidate,
                        const compile::Toolchain& tools);

}  // namespace kb::eval
