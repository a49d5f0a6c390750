#pragma once

#include <optional>

#include "record/evaluation.h"

namespace kb::oracle {

// A device's ceilings are measured once and kept in a file of the cache folder,
// so that all results of a device are held against the same ones: by name and
// driver of the device, and by PyTorch's version.

// None: not measured yet, or the file cannot be believed.
std::optional<record::Ceilings> KeptCeilings(const record::DeviceFacts& device);

// What cannot be kept is measured again by the next oracle.
void KeepCeilings(const record::DeviceFacts& device,
                  const record::Ceilings& ceilings);

}  // namespace kb::oracle
