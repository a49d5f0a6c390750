#pragma once

#include "jail/jail.h"
#include "lane/lane.h"

namespace kb::lane {

// What to run for a request. `files` is the host folder that holds the
// candidate's file `name` (python) or `candidate.so` (native).
jail::JailSpec MakeJailSpec(const LaneOptions& options,
                            const JailRequest& request,
                            const std::string& files, int socket);

}  // namespace kb::lane
