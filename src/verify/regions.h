#pragma once

#include <optional>
#include <string>

#include "evidence.h"

namespace kb::verify {

// Where the wrong elements lie when they form a simple region, as a sentence
// with `what` ("wrong", "zero", ...) said of them: "only index 3 of dimension 0
// is wrong". Absent: they form none.
std::optional<std::string> Region(const Evidence& evidence,
                                  const std::string& what);

}  // namespace kb::verify
