#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "command.h"

namespace kb::cli {

struct AnalyzeOptions {
  std::vector<std::string> runs;  // store files
  std::string pack;               // for tags and flags
  std::vector<double> ps{0, 0.5, 0.8, 1, 1.5, 2, 4};
  std::vector<int64_t> ks{1};
  std::string by = "run";
  std::string time = "device";  // or "wall"
  std::string baseline = "eager";
  bool csv = false;
  bool json = false;
};

void AddAnalyze(CLI::App* program, AnalyzeOptions* options, Call* call);

}  // namespace kb::cli
