#pragma once

#include <memory>

#include "base/result.h"
#include "device/device.h"
#include "os/fd.h"

namespace kb::device {

// A new sealed memfd of at least one page, mapped.
base::Result<std::unique_ptr<SharedMemory>> AllocateMemfd(size_t bytes);

// Maps a memfd of another process. Fails unless it is large enough and sealed
// against shrinking: touching pages that the other side has cut off would kill
// this process.
base::Result<std::unique_ptr<SharedMemory>> MapMemfd(os::Fd fd, size_t bytes);

}  // namespace kb::device
