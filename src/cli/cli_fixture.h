#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "commands.h"

namespace kb::cli {

// What the command line means; `error` says why it means nothing.
struct Parsed {
  Commands commands;
  std::string error;
};
inline std::unique_ptr<Parsed> Parse(std::vector<std::string> words) {
  auto parsed = std::make_unique<Parsed>();
  const auto program = MakeProgram(&parsed->commands);
  std::vector<std::string> backwards(words.rbegin(), words.rend());
  try {
    program->parse(backwards);
  } catch (const CLI::ParseError& e) {
    parsed->error = e.what();
  }
  return parsed;
}

}  // namespace kb::cli
