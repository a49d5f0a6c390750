#pragma once

#include <string>

#include "command.h"

namespace kb::cli {

struct DoctorOptions {
  bool json = false;
  bool certify = false;
  std::string device;   // to certify
  std::string samples;  // with the fixtures; empty: ours
};

void AddDoctor(Command* program, DoctorOptions* options, Call* call);

}  // namespace kb::cli
