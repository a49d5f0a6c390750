#pragma once

#include "command.h"

namespace kb::cli {

struct DoctorOptions {
  bool json = false;
};

void AddDoctor(CLI::App* program, DoctorOptions* options, Call* call);

}  // namespace kb::cli
