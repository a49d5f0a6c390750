#include "linux/landlock.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>

namespace kb::jail {
namespace {

using base::Fail;
using base::Result;

// From linux/landlock.h, whose version in Debian 12 is too old for these.
struct RulesetAttributes {
  uint64_t handled_access_fs = 0;
  uint64_t handled_access_net = 0;  // since version 4
  uint64_t scoped = 0;              // since version 6
};
struct [[gnu::packed]] PathBeneath {
  uint64_t allowed_access = 0;
  int32_t parent_fd = -1;
};
constexpr uint32_t kCreateRulesetVersion = 1;
constexpr int kRulePathBeneath = 1;

constexpr uint64_t Bit(int n) { return uint64_t{1} << n; }
constexpr uint64_t kExecute = Bit(0);
constexpr uint64_t kWriteFile = Bit(1);
constexpr uint64_t kReadFile = Bit(2);
constexpr uint64_t kReadDir = Bit(3);
constexpr uint64_t kTruncate = Bit(14);     // since version 3
constexpr uint64_t kIoctlDevice = Bit(15);  // since version 5
constexpr uint64_t kRead = kExecute | kReadFile | kReadDir;
constexpr uint64_t kOnFiles =
    kExecute | kWriteFile | kReadFile | kTruncate | kIoctlDevice;

// Every access to files that version `version` knows.
uint64_t AllAccess(int version) {
  int bits = 13;
  if (version >= 2) bits = 14;
  if (version >= 3) bits = 15;
  if (version >= 5) bits = 16;
  return Bit(bits) - 1;
}

uint64_t AccessOf(LandlockRule::Access access, bool folder, int version) {
  uint64_t wanted = kRead;
  if (access == LandlockRule::Access::kUpdate) wanted |= kWriteFile | kTruncate;
  if (access == LandlockRule::Access::kReadWrite)
    wanted = AllAccess(version) & ~kIoctlDevice;
  if (access == LandlockRule::Access::kDevice)
    wanted = kReadFile | kReadDir | kWriteFile | kTruncate | kIoctlDevice;
  if (!folder) wanted &= kOnFiles;
  return wanted & AllAccess(version);
}

Result<void> AddRule(int ruleset, const LandlockRule& rule, int version) {
  const os::Fd place(::open(rule.path.c_str(), O_PATH | O_CLOEXEC));
  if (!place.valid()) return os::FailErrno("Landlock rule for " + rule.path);
  struct stat status{};
  if (::fstat(place.get(), &status) != 0)
    return os::FailErrno("stat " + rule.path);
  PathBeneath beneath;
  beneath.allowed_access =
      AccessOf(rule.access, S_ISDIR(status.st_mode), version);
  beneath.parent_fd = place.get();
  if (::syscall(SYS_landlock_add_rule, ruleset, kRulePathBeneath, &beneath,
                0) != 0)
    return os::FailErrno("Landlock rule for " + rule.path);
  return base::Ok();
}

}  // namespace

int LandlockVersion() {
  const long version =
      ::syscall(SYS_landlock_create_ruleset, nullptr, 0, kCreateRulesetVersion);
  return version < 0 ? 0 : static_cast<int>(version);
}

Result<os::Fd> MakeLandlockRuleset(const std::vector<LandlockRule>& rules) {
  const int version = LandlockVersion();
  if (version == 0)
    return Fail("this kernel has no Landlock (Linux 5.13 or later, in lsm=)");
  RulesetAttributes attributes;
  attributes.handled_access_fs = AllAccess(version);
  size_t size = sizeof attributes.handled_access_fs;
  if (version >= 4) {
    attributes.handled_access_net = Bit(0) | Bit(1);  // bind and connect TCP
    size = 16;
  }
  if (version >= 6) {
    attributes.scoped = Bit(0) | Bit(1);  // abstract sockets and signals
    size = 24;
  }
  os::Fd ruleset(static_cast<int>(
      ::syscall(SYS_landlock_create_ruleset, &attributes, size, 0)));
  if (!ruleset.valid()) return os::FailErrno("landlock_create_ruleset");
  for (const LandlockRule& rule : rules)
    KB_TRY(AddRule(ruleset.get(), rule, version));
  return ruleset;
}

}  // namespace kb::jail
