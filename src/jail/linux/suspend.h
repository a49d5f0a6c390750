#pragma once

#include <sys/types.h>

#include <vector>

namespace kb::jail {

// Stops (or lets go on) every process below `root`, not `root` itself, until no
// running one is found. What a process does to its own children while they are
// looked for is caught by looking again. False: after ten seconds there are
// still some, which follow one another.
bool SuspendBelow(pid_t root);
void ResumeBelow(pid_t root);

// Moves every thread of them to these processors.
void ConfineBelow(pid_t root, const std::vector<int>& processors);

// Gives every thread of them a nice value of -10, which their children inherit.
void PreferBelow(pid_t root);

}  // namespace kb::jail
