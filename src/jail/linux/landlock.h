#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "os/fd.h"

namespace kb::jail {

// Landlock's version in this kernel, 0 when there is none.
int LandlockVersion();

struct LandlockRule {
  enum class Access {
    kRead,       // and execute
    kUpdate,     // and write what exists
    kReadWrite,  // and create, remove, execute
    kDevice,     // read, write, ioctl
  };
  std::string path;
  Access access = Access::kRead;
};

// A ruleset for landlock_restrict_self: the file system is closed but for
// `rules`, and so are, where the kernel can, TCP, abstract Unix sockets of
// others and signals to others.
base::Result<os::Fd> MakeLandlockRuleset(
    const std::vector<LandlockRule>& rules);

}  // namespace kb::jail
