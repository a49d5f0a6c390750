#pragma once

#include <string>

namespace kb::report {

// A model as pages name it: of a replay the folder's name, for where it lay is
// nobody's business.
std::string ModelName(const std::string& model);

}  // namespace kb::report
