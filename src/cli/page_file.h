#pragma once

#include <string>

#include "base/result.h"

namespace kb::cli {

// Whether a page can go to --out `path`; asked before the work. A folder that
// is not there is more likely a slip than a wish.
base::Result<void> CheckPageFile(const std::string& path);

base::Result<void> WritePage(const std::string& path, const std::string& page);

}  // namespace kb::cli
