#pragma once

#include <string>
#include <vector>

#include "slim_headers.h"

namespace kb::builder {

// Headers with which a C++ source compiles that only declares functions and
// hands them to Python, as PyTorch's load_inline writes it beside a CUDA
// source: share/bindings/declared.h in place of torch/extension.h. What does
// anything else does not compile with them. The module needs
// share/bindings/bindings.cc as well then.
//
// None where the source includes or defines more, or where an option of
// `command` might change how functions are called.
std::vector<Header> DeclaredHeaders(const std::string& source,
                                    const std::string& command);

}  // namespace kb::builder
