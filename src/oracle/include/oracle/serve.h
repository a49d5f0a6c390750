#pragma once

#include <functional>
#include <memory>
#include <string>

#include "device/device.h"
#include "oracle/reference.h"

namespace kb::oracle {

// The trusted process of one lane: answers the orchestrator on `socket` until
// it hangs up (docs/wire.md). The process's exit code.
int Serve(int socket, const std::string& device_name,
          const std::string& torch_version,
          const std::function<std::unique_ptr<Reference>(device::Device*)>&
              make_reference);

}  // namespace kb::oracle
