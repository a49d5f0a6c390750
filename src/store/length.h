#pragma once

#include <string>

#include "base/result.h"

namespace kb::store {

// A usage Error where the file has fewer pages than its header says, as of a
// copy that broke off: SQLite would read rows of such a file, and add to it. A
// missing file, one that is no database and one in use are no Error.
base::Result<void> CheckLength(const std::string& path);

}  // namespace kb::store
