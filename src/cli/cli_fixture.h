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
  std::string named;  // "runs list"
};
inline std::unique_ptr<Parsed> Parse(std::vector<std::string> words) {
  auto parsed = std::make_unique<Parsed>();
  const auto program = MakeProgram(&parsed->commands);
  std::vector<std::string> backwards(words.rbegin(), words.rend());
  try {
    program->parse(backwards);
    for (const CLI::App* at = program.get(); !at->get_subcommands().empty();) {
      at = at->get_subcommands().front();
      parsed->named += (parsed->named.empty() ? "" : " ") + at->get_name();
    }
  } catch (const CLI::ParseError& e) {
    parsed->error = e.what();
  }
  return parsed;
}

}  // namespace kb::cli
