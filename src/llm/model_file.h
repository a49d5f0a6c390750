#pragma once

#include <map>
#include <string>

#include "base/result.h"
#include "llm/model.h"

namespace kb::llm {

// The models of one models.toml by name. `path` is for messages, which name it
// with the line. Unknown keys, and secrets in the file, are errors.
base::Result<std::map<std::string, Model>> ReadModels(const std::string& path,
                                                      const std::string& text);

}  // namespace kb::llm
