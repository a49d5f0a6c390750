#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"

namespace kb::os {

// Says something of a path, of which the name is enough: nothing is read.
using PathFilter = std::function<bool(const std::string& path)>;

// The files below `folder` that are `wanted`, sorted; not in folders that are
// `skipped`, nor such files. Links to files are followed, to folders not. A
// folder that cannot be read and a wanted link that leads nowhere are usage
// errors that name them: what is left out without a word is missed by nobody.
base::Result<std::vector<std::string>> FilesBelow(
    const std::string& folder, const PathFilter& wanted,
    const PathFilter& skipped = [](const std::string&) { return false; });

// Why the link at `path` leads nowhere; none: it does not, or is no link.
std::optional<std::string> BrokenLink(const std::string& path);

// That as a usage Error, which names the path.
base::Result<void> CheckLink(const std::string& path);

}  // namespace kb::os
