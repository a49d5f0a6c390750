#include "linux/private_tmp.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <utility>

#include "linux/stale.h"
#include "os/files.h"

namespace kb::jail {
namespace {

namespace fs = std::filesystem;
using base::Ok;
using base::Result;

constexpr char kPrefix[] = "kernelbench-jail-";

os::Fd OpenLocked(const std::string& path) {
  os::Fd fd(
      ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (fd.valid() && ::flock(fd.get(), LOCK_EX | LOCK_NB) != 0) fd.Close();
  return fd;
}

}  // namespace

Result<PrivateTmp> PrivateTmp::Create() {
  std::string path = fmt::format("/tmp/{}{}-XXXXXX", kPrefix, ::getpid());
  if (::mkdtemp(path.data()) == nullptr)
    return os::FailErrno("mkdtemp " + path);
  PrivateTmp made;
  made.path_ = path;
  made.lock_ = OpenLocked(path);
  if (!made.lock_.valid()) return os::FailErrno("lock " + path);
  return made;
}

PrivateTmp::PrivateTmp(PrivateTmp&& other) noexcept
    : path_(std::exchange(other.path_, {})), lock_(std::move(other.lock_)) {}

PrivateTmp& PrivateTmp::operator=(PrivateTmp&& other) noexcept {
  if (this != &other) {
    Remove();
    path_ = std::exchange(other.path_, {});
    lock_ = std::move(other.lock_);
  }
  return *this;
}

PrivateTmp::~PrivateTmp() { Remove(); }

void PrivateTmp::Remove() {
  if (!path_.empty()) (void)os::RemoveTree(path_);
  path_.clear();
  lock_.Close();
}

Result<void> PrivateTmp::GiveTo(uid_t user, gid_t group) const {
  if (::fchown(lock_.get(), user, group) != 0)
    return os::FailErrno("chown " + path_);
  return Ok();
}

void PrivateTmp::RemoveStale() {
  std::error_code error;
  for (const auto& entry : fs::directory_iterator("/tmp", error)) {
    if (!OwnerIsDead(entry.path().filename().string(), kPrefix)) continue;
    const os::Fd lock = OpenLocked(entry.path().string());
    if (lock.valid()) (void)os::RemoveTree(entry.path().string());
  }
}

}  // namespace kb::jail
