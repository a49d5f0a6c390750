#pragma once

#include "command.h"

namespace kb::cli {

struct CacheOptions {
  double unused_days = 0;  // of clear
  bool json = false;
};

void AddCache(Command* program, CacheOptions* options, Call* call);

}  // namespace kb::cli
