#pragma once

#include <functional>
#include <string>

#include "base/result.h"
#include "jail/jail.h"

namespace kb::jail {

struct BestLevel {
  Isolation level = Isolation::kNone;
  std::string why_not_better;  // of every better level; "" at kFull
};

// The best level at which `attempt` starts a jail. A level is given up after
// three attempts: somebody who kills one of our processes (a machine out of
// memory) must not make jails weaker.
BestLevel FindBestLevel(
    const std::function<base::Result<void>(Isolation)>& attempt);

}  // namespace kb::jail
