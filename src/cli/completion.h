#pragma once

#include <string>

#include "command_text.h"

namespace kb::cli {

// What a shell reads to complete commands, options and their choices. Where a
// word can be anything, the shell completes files.
std::string BashCompletion(const CommandText& program);
std::string ZshCompletion(const CommandText& program);
std::string FishCompletion(const CommandText& program);

}  // namespace kb::cli
