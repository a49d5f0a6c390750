#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "llm/prices.h"

namespace kb::cli {

// What a run would ask.
struct Questions {
  int64_t count = 0;     // that are still to be asked
  int64_t answered = 0;  // before
  uint64_t bytes = 0;    // of all their prompts
  // Mean of the answers that are there, thinking included; none: none is.
  std::optional<double> output_tokens;
};

// What they would cost, in words and on a few lines.
std::string Estimate(const Questions& questions, const std::string& model,
                     const std::optional<llm::Price>& price);

}  // namespace kb::cli
