#pragma once

#include <map>
#include <string>

#include "jail/fork_server.h"
#include "jail/jail.h"
#include "lane/lane.h"

namespace kb::lane {

// What a lane's programs call its device.
std::string DeviceInside(const LaneOptions& options);

// The variable that shows them their GPU alone; empty where there is no choice.
std::map<std::string, std::string> GpuEnvironment(const LaneOptions& options);

// What to run for a request. `files` is the host folder that holds the
// candidate's file `name` (python) or `candidate.so` (native).
jail::JailSpec MakeJailSpec(const LaneOptions& options,
                            const JailRequest& request,
                            const std::string& files, int socket);

// Of the parent of those for the python track.
jail::ForkServer::Options ForkServerOptions(const LaneOptions& options);

}  // namespace kb::lane
