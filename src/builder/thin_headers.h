#pragma once

#include <string>
#include <vector>

#include "slim_headers.h"

namespace kb::builder {

// Headers with which a CUDA source compiles in a second that asks tensors for
// sizes and pointers and makes new ones: share/bindings/thin.h in place of
// torch/extension.h. What does more with them does not compile. The module
// needs what is compiled once of share/bindings as well then.
//
// None where the source names what is not there, or where an option of
// `command` might change how functions are called.
std::vector<Header> ThinHeaders(const std::string& source,
                                const std::string& command);

}  // namespace kb::builder
