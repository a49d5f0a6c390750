#pragma once

#include <linux/filter.h>

#include <vector>

#include "base/result.h"
#include "os/jail.h"

namespace kb::os {

// The system calls that foreign code may not make, as a program for
// PR_SET_SECCOMP. Compiled once per level and kept for ever. Not for kNone.
base::Result<const std::vector<sock_filter>*> SeccompFilter(Isolation level);

}  // namespace kb::os
