#pragma once

#include <string>

#include "command_text.h"

namespace kb::cli {

// A manual page (man 1 kernelbench) of what --help says.
std::string ManualPage(const CommandText& program, const std::string& version);

}  // namespace kb::cli
