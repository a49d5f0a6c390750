#pragma once

#include <CLI/CLI.hpp>
#include <functional>

#include "base/result.h"
#include "workplace/exit_code.h"

namespace kb::cli {

using workplace::ExitCode;

// What a command line asks for, once it has been read.
using Call = std::function<base::Result<ExitCode>()>;

// When the command line names `command`, `body` is called with what it said.
template <typename Options>
void Means(CLI::App* command, Call* call, const Options* options,
           base::Result<ExitCode> (*body)(const Options&)) {
  command->callback([=] { *call = [=] { return body(*options); }; });
}

}  // namespace kb::cli
