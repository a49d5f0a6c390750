#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "command.h"
#include "workplace/selection.h"

namespace kb::cli {

struct ProblemsOptions {
  std::string pack;
  workplace::SelectionOptions selection;
  std::string id;
  std::string size;
  std::optional<uint64_t> fit;
  bool json = false;
};

void AddProblems(Command* program, ProblemsOptions* options, Call* call);

}  // namespace kb::cli
