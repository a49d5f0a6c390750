#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"

namespace kb::llm {

// A file of a folder that is replayed.
struct ReplayFile {
  std::string path;     // below the folder
  std::string problem;  // that its header names; empty: none
  // Files that only their turns tell apart are one sample.
  std::string sample;
  int64_t turn = 1;  // "turn_2" in the path
};

// All below `folder` that can be an answer, by path with numbers by value. What
// ends in _prompt.txt is none.
base::Result<std::vector<ReplayFile>> ListReplay(const std::string& folder);

// Whether the file answers the problem, e.g. "level1/23".
bool Answers(const ReplayFile& file, const std::string& problem_id);

// "level1/23" in the first comment lines of a source, else empty.
std::string ProblemInHeader(const std::string& source);

// Whether the file's text is an answer with code in it, not the code.
bool IsProse(const std::string& path);

}  // namespace kb::llm
