#pragma once

#include <string>
#include <vector>

#include "jail/jail.h"

namespace kb::jail {

// Something that a level is thought to hold and does not on this machine.
struct Gap {
  std::string name;  // a policy asks for what it names: "memory"
  std::string why;
};

// What decides it.
struct Ground {
  bool control_groups = false;
  int landlock = 0;  // its version
  bool own_user = false;
};

// None of level none, which holds nothing.
std::vector<Gap> GapsOf(Isolation level, const Ground& ground);

// On this machine.
std::vector<Gap> GapsOf(Isolation level, const IsolationReport& report);

// Why `level` with these gaps is less than `wanted`: a level, and behind a plus
// each what must be held too ("reduced+memory"). Empty when it is not less.
base::Result<std::string> WhyTooWeak(const std::string& wanted, Isolation level,
                                     const std::vector<Gap>& gaps);

}  // namespace kb::jail
