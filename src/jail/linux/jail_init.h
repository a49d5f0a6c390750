#pragma once

#include "base/result.h"
#include "jail/fork_server.h"
#include "linux/jail_plan.h"

namespace kb::jail {

// The child's ends of the pipes, and /dev/null, as numbered in the parent.
struct JailChildEnds {
  int input = -1;
  int output = -1;
  int go = -1;
  int status = -1;
};

// Clones the first process of a jail: trusted code of ours that builds the
// jail, starts the payload and stays as its parent. It ends, and takes
// everything inside with it, when the payload ends or when the supervisor does
// (the go pipe closes; PR_SET_PDEATHSIG would follow the one thread that
// started us). Nothing in it takes a lock or memory, because another thread may
// have held the allocator's lock; with `plan.in_place` there is no other, and
// the init is a child of our parent.
base::Result<FirstProcess> StartJailInit(JailPlan& plan,
                                         const JailChildEnds& ends);

}  // namespace kb::jail
