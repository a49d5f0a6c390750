#pragma once

#include <sys/types.h>

#include <string>

#include "base/result.h"
#include "os/fd.h"

namespace kb::jail {

// A folder below the host's /tmp for a jail that has no /tmp of its own.
// Removed with all it holds on destruction.
class PrivateTmp {
 public:
  PrivateTmp() = default;  // no folder
  static base::Result<PrivateTmp> Create();
  PrivateTmp(const PrivateTmp&) = delete;
  PrivateTmp& operator=(const PrivateTmp&) = delete;
  PrivateTmp(PrivateTmp&&) noexcept;
  PrivateTmp& operator=(PrivateTmp&&) noexcept;
  ~PrivateTmp();

  const std::string& path() const { return path_; }
  base::Result<void> GiveTo(uid_t user, gid_t group) const;

  // Removes the folders of supervisors that are dead.
  static void RemoveStale();

 private:
  void Remove();

  std::string path_;
  os::Fd lock_;  // held while we live, also seen from other pid namespaces
};

}  // namespace kb::jail
