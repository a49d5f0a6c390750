#pragma once

#include <string>

#include "command.h"

namespace kb::cli {

struct PricesOptions {
  std::string url;
  std::string model;  // of show; empty: all
  bool json = false;
};

void AddPrices(Command* program, PricesOptions* options, Call* call);

}  // namespace kb::cli
