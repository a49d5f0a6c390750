#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace kb::search {

// What a program does, by words in its text: "shared memory", "tensor cores",
// "vector loads". Sorted, each once; a search keeps programs apart by them, so
// a wrong one costs variety and nothing else. Comments are not looked at.
std::vector<std::string> ApproachesOf(std::string_view source);

}  // namespace kb::search
