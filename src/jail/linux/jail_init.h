#pragma once

#include "linux/jail_plan.h"

namespace kb::jail {

// The child's ends of the pipes, and /dev/null, as numbered in the parent.
struct JailChildEnds {
  int input = -1;
  int output = -1;
  int go = -1;
  int status = -1;
};

// The first process of a jail, straight after the clone: trusted code of ours
// that builds the jail, starts the payload and stays as its parent. It ends,
// and takes everything inside with it, when the payload ends or when the
// supervisor does (the go pipe closes; PR_SET_PDEATHSIG would follow the one
// thread that started us). Async-signal-safe.
[[noreturn]] void RunJailInit(JailPlan& plan, const JailChildEnds& ends);

// The namespaces of a level, for clone.
unsigned long JailCloneFlags(Isolation level);

}  // namespace kb::jail
