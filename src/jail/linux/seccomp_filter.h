#pragma once

#include <linux/filter.h>

#include <vector>

#include "base/result.h"
#include "jail/jail.h"

namespace kb::jail {

// The system calls that foreign code may not make, as a program for
// PR_SET_SECCOMP. Compiled once per level and kept for ever. Not for kNone.
base::Result<const std::vector<sock_filter>*> SeccompFilter(Isolation level);

}  // namespace kb::jail
