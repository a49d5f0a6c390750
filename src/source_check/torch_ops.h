#pragma once

#include <vector>

#include "source_check/source_text.h"
#include "source_check/static_check.h"

namespace kb::source_check {

// Where the methods and functions of a python candidate, other than __init__,
// let PyTorch do the computing. A copy of the reference (class Model),
// get_inputs, get_init_inputs and what runs at import are not looked at,
// because forward need not use them, nor are kernels of Triton.
std::vector<Finding> TorchOps(const std::vector<Token>& tokens);

}  // namespace kb::source_check
