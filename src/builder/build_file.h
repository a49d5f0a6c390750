#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace kb::builder {

// One statement `build OUTPUT: RULE INPUT...` of a file for ninja.
struct Edge {
  std::string output;
  std::string rule;  // "compile", "cuda_compile", "link"
  std::vector<std::string> inputs;
  std::string command;  // for a shell
};

// The edges of a file as PyTorch's extension builder writes it. An Error for
// statements that it does not write. Grammar: ninja-build.org/manual.html.
base::Result<std::vector<Edge>> ReadBuildFile(const std::string& text);

}  // namespace kb::builder
