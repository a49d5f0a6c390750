#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace kb::cli {

// Whether `option` may replace the file at `path` by a `kind` ("page"), all of
// which begin so. A store or a kernel that was named by a slip stays.
base::Result<void> CheckReplaces(const std::string& option,
                                 const std::string& path,
                                 std::string_view beginning,
                                 std::string_view kind);

}  // namespace kb::cli
