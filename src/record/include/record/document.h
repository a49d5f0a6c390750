#pragma once

#include <string>

#include "base/json.h"

namespace kb::record {

// A JSON that leaves the program: its first field says which schema it keeps
// to, "kernelbench/<name>/<version>" (share/schemas/<name>.json). Wants a name
// that is there. A version changes when a reader of the one before can no
// longer read it.
base::Json Document(const std::string& name, const base::Json& fields);

// "kernelbench/<name>/<version>"
std::string SchemaId(const std::string& name);

}  // namespace kb::record
