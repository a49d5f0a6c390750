#pragma once

#include <memory>
#include <string>
#include <vector>

#include "commands.h"

namespace kb::cli {

// What the command line means; `error` says why it means nothing.
struct Parsed {
  Commands commands;
  std::string error;
  std::string named;  // "runs list"
};
inline std::unique_ptr<Parsed> Parse(const std::vector<std::string>& words) {
  auto parsed = std::make_unique<Parsed>();
  const auto named = MakeProgram(&parsed->commands)->Parse(words);
  if (named)
    parsed->named = *named;
  else
    parsed->error = named.error().message();
  return parsed;
}

}  // namespace kb::cli
