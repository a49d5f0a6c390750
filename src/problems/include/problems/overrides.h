#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "base/result.h"

namespace kb::problems {

// `source` (Python) with the value of each named module-level constant
// replaced. What is rewritten is a line `NAME = expression` (or with an
// annotation, `NAME: int = expression`) that begins in the first column;
// everything else, comments too, stays as it is. A name that is assigned
// nowhere, more than once, or in another way is an Error that says so.
base::Result<std::string> ApplyOverrides(
    const std::string& source, const std::map<std::string, int64_t>& values);

}  // namespace kb::problems
