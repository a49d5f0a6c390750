#pragma once

#include <map>
#include <string>

#include "base/result.h"
#include "record/problem.h"

namespace kb::problems {

// What the reference takes at the sizes that were measured, by problem id.
using Costs = std::map<std::string, std::map<record::Size, record::Cost>>;

// costs.json of a pack: {"level1/23": {"full": {"memory_bytes": ..}}}, a
// problem a line.
base::Result<Costs> CostsFromText(const std::string& text);
std::string ToText(const Costs& costs);

}  // namespace kb::problems
