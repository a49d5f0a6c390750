#pragma once

namespace kb::jail {

// Kills and reaps every descendant of this process, which must be a child
// subreaper with a single thread. For where no process namespace and no control
// group does it at once. Returns when none is left. Async-signal-safe.
void KillDescendants();

}  // namespace kb::jail
