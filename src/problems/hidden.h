#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "record/problem.h"

namespace kb::problems {

// The constants by which a source without notes can be given another size: a
// batch_size that get_inputs alone uses, so that no weight depends on it.
std::vector<std::string> HiddenByRule(const std::string& source);

// The source with each of these module-level whole numbers larger by a
// sixteenth and 1. An Error where one is none.
base::Result<record::HiddenSize> HiddenSizeOf(
    const std::string& source, const std::vector<std::string>& constants);

}  // namespace kb::problems
