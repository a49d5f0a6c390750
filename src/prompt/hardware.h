#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace kb::prompt {

// "Hopper"
base::Result<std::string> ArchitectureOf(const std::string& folder,
                                         const std::string& name);

// Names in hardware.toml, in its order.
base::Result<std::vector<std::string>> HardwareNames(const std::string& folder);

// The paragraph about a device. A Usage error that lists the names when there
// is none called `name`.
base::Result<std::string> HardwareBlock(const std::string& folder,
                                        const std::string& name);

}  // namespace kb::prompt
