#pragma once

#include <string>
#include <vector>

#include "command.h"

namespace kb::cli {

// What --help says of an option.
struct OptionText {
  std::vector<std::string> names;    // "-o", "--out"; of a positional its name
  std::string value;                 // "TEXT"; empty: it is a flag
  std::vector<std::string> choices;  // the only values; empty: any
  std::string about;
  bool positional = false;
};

// What --help says of a command: the one text that manual and completion are
// made of.
struct CommandText {
  std::string name;  // "problems list"; of the program itself empty
  std::string about;
  std::string footer;
  std::vector<OptionText> options;
  std::vector<CommandText> commands;
};

CommandText Describe(const Command& command);

}  // namespace kb::cli
