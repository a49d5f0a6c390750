#pragma once

#include <string>
#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "command.h"

namespace kb::cli {

struct SchemaOptions {
  std::string name;  // empty: list them
};

void AddSchema(Command* program, SchemaOptions* options, Call* call);

// The names of all schemas of a folder, sorted.
base::Result<std::vector<std::string>> SchemaNames(const std::string& folder);

// One of them, with those that it refers to under "$defs", so that it can be
// used alone.
base::Result<base::Json> SchemaOf(const std::string& folder,
                                  const std::string& name);

}  // namespace kb::cli
