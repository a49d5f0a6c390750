#pragma once

#include "linux/jail_plan.h"
#include "linux/jail_report.h"

namespace kb::jail {

// The file tree of a full jail: a small read-only tmpfs as root, in which the
// host's system folders and the caller's binds are mounted. Both functions run
// in the child, are async-signal-safe and end the child on failure.

// Takes detached copies of all that is wanted of the host's tree. Before the
// change of user, because /root, say, may be closed to the new one.
void CollectTree(JailPlan& plan, const JailReporter& reporter);

// Builds the new tree and moves into it. After the change of user: a user that
// the namespace does not know cannot create files.
void EnterTree(const JailPlan& plan, const JailReporter& reporter);

}  // namespace kb::jail
