#include "os/files.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>

#include "os/deadline.h"
#include "os/fd.h"

namespace kb::os {
namespace {

using base::Fail;
using base::Ok;
using base::Result;

// Set and not empty.
std::optional<std::string> Environment(const char* name) {
  const char* value = std::getenv(name);
  if (value == nullptr || *value == '\0') return std::nullopt;
  return value;
}

// A pipe or a socket may keep a reader waiting for ever.
Result<void> CheckIsFile(const Fd& fd, const std::string& path) {
  struct stat status{};
  if (::fstat(fd.get(), &status) != 0) return FailErrno("stat " + path);
  if (S_ISREG(status.st_mode) || S_ISCHR(status.st_mode)) return Ok();
  return Fail("{} is a {}, not a file; copy what it holds to a file", path,
              S_ISDIR(status.st_mode) ? "folder" : "pipe");
}

Result<void> WriteAll(int fd, std::string_view bytes, const std::string& path) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(fd, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return FailErrno("write " + path);
    bytes.remove_prefix(static_cast<size_t>(n));
  }
  return Ok();
}

// /tmp is everybody's: a folder that somebody else prepared there is no cache
// of ours.
Result<std::string> PrivateFolderInTmp() {
  std::string path = fmt::format("/tmp/kernelbench-{}", ::getuid());
  if (::mkdir(path.c_str(), 0700) != 0 && errno != EEXIST)
    return FailErrno("mkdir " + path);
  struct stat status{};
  if (::lstat(path.c_str(), &status) != 0) return FailErrno("stat " + path);
  if (!S_ISDIR(status.st_mode) || status.st_uid != ::getuid())
    return Fail("{} is not a folder of ours: set KB_CACHE", path);
  return path;
}

Result<std::string> CacheRoot() {
  if (auto path = Environment("KB_CACHE")) return *path;
  if (auto path = Environment("XDG_CACHE_HOME")) return *path + "/kernelbench";
  if (auto home = Environment("HOME")) {
    std::string path = *home + "/.cache/kernelbench";
    if (MakeDirectories(path)) return path;
  }
  return PrivateFolderInTmp();
}

void OpenToOwner(const std::filesystem::path& folder) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  if (fs::symlink_status(folder, ignored).type() == fs::file_type::directory)
    fs::permissions(folder, fs::perms::owner_all, fs::perm_options::add,
                    ignored);
}

// A path that stays the same wherever programs of ours are started: jails are
// shown folders by it.
Result<std::string> Absolute(const std::string& path, const char* variable) {
  std::error_code error;
  const auto absolute = std::filesystem::absolute(path, error);
  if (!error) return absolute.lexically_normal().string();
  return Fail(
      "{}={} begins in the working folder, which is gone ({}); change "
      "to another folder, or give a path that begins with /",
      variable, path, error.message());
}

Result<std::string> TempRoot() {
  const auto named = Environment("TMPDIR");
  if (!named) return "/tmp";
  KB_ASSIGN(std::string root, Absolute(*named, "TMPDIR"));
  std::error_code error;
  if (std::filesystem::is_directory(root, error)) return root;
  return Fail("TMPDIR={}: there is no such folder; make it, or name another",
              *named);
}

// Invalid when somebody else has the lock. Also seen from other namespaces of
// processes.
Fd LockFolder(const std::string& path) {
  Fd fd(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (fd.valid() && ::flock(fd.get(), LOCK_EX | LOCK_NB) != 0) fd.Close();
  return fd;
}

// Whether `name` is "kb...-PID-XXXXXX" of a process that does not run.
bool IsOfADeadProcess(const std::string& name) {
  constexpr size_t kRandomPart = 7;
  if (!name.starts_with("kb") || name.size() <= kRandomPart) return false;
  const size_t end = name.size() - kRandomPart;
  const size_t start = name.rfind('-', end - 1);
  if (name[end] != '-' || start == std::string::npos) return false;
  pid_t pid = 0;
  const auto [next, error] =
      std::from_chars(name.data() + start + 1, name.data() + end, pid);
  if (error != std::errc() || next != name.data() + end || pid <= 0)
    return false;
  return ::kill(pid, 0) != 0 && errno == ESRCH;
}

// A file of another user, who shares the folder, can be locked as well.
Result<Fd> OpenLockFile(const std::string& path) {
  Fd fd(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666));
  if (!fd.valid() && errno == EACCES)
    fd = Fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd.valid()) return FailErrno("open " + path);
  return fd;
}

// A holder may remove its file: then who has waited for it holds what nobody
// else will ever look at.
bool IsStillAt(const std::string& path, const Fd& fd) {
  struct stat there{};
  struct stat held{};
  return ::stat(path.c_str(), &there) == 0 && ::fstat(fd.get(), &held) == 0 &&
         there.st_dev == held.st_dev && there.st_ino == held.st_ino;
}

enum class Locked { kYes, kNo, kGone };

// Without waiting; kGone: the file is to be opened anew.
Result<Locked> TryLock(const std::string& path, const Fd& fd, int operation) {
  while (::flock(fd.get(), operation | LOCK_NB) != 0) {
    if (errno == EWOULDBLOCK) return Locked::kNo;
    if (errno != EINTR) return FailErrno("lock " + path);
  }
  return IsStillAt(path, fd) ? Locked::kYes : Locked::kGone;
}

}  // namespace

Result<std::string> ReadFile(const std::string& path, uint64_t max_bytes) {
  constexpr int kFlags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY;
  const Fd fd(::open(path.c_str(), kFlags));
  if (!fd.valid()) return FailErrno("open " + path);
  KB_TRY(CheckIsFile(fd, path));
  // Files of /proc and /sys have a size of 0: read until the end.
  std::string text;
  char buffer[1 << 16];
  for (;;) {
    const ssize_t n = ::read(fd.get(), buffer, sizeof buffer);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return FailErrno("read " + path);
    if (n == 0) return text;
    text.append(buffer, static_cast<size_t>(n));
    if (text.size() > max_bytes)
      return Fail("{} is larger than {} bytes", path, max_bytes);
  }
}

Result<void> WriteFileAtomically(const std::string& path,
                                 std::string_view bytes) {
  if (path.empty())
    return base::Usage("the file to write has an empty name; name a file");
  struct stat status{};
  if (::lstat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode) &&
      !S_ISLNK(status.st_mode))
    return Fail("{} is no file, and is not replaced by one", path);
  static std::atomic<uint64_t> counter{0};
  const std::string beside =
      fmt::format("{}.{}-{}.tmp", path, ::getpid(), counter++);
  const Fd fd(
      ::open(beside.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644));
  if (!fd.valid()) return FailErrno("create " + beside);
  Result<void> done = WriteAll(fd.get(), bytes, beside);
  if (done && ::rename(beside.c_str(), path.c_str()) != 0)
    done = FailErrno(fmt::format("rename {} to {}", beside, path));
  if (!done) ::unlink(beside.c_str());
  return done;
}

Result<void> WriteOutput(const std::string& path, std::string_view bytes) {
  struct stat status{};
  const bool there = ::stat(path.c_str(), &status) == 0;
  std::error_code error;
  const bool link = std::filesystem::is_symlink(path, error);
  if (!there || (S_ISREG(status.st_mode) && !link))
    return WriteFileAtomically(path, bytes);
  if (S_ISDIR(status.st_mode)) return Fail("{} is a folder; name a file", path);
  // Not to wait for a reader of a pipe who may never come.
  const Fd fd(
      ::open(path.c_str(), O_WRONLY | O_TRUNC | O_CLOEXEC | O_NONBLOCK));
  if (!fd.valid() && errno == ENXIO)
    return Fail("nobody reads the pipe {}: start its reader first", path);
  if (!fd.valid()) return FailErrno("open " + path);
  if (::fcntl(fd.get(), F_SETFL, 0) != 0) return FailErrno("open " + path);
  return WriteAll(fd.get(), bytes, path);
}

Result<bool> RenameNew(const std::string& from, const std::string& to) {
  if (::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(),
                  RENAME_NOREPLACE) == 0)
    return true;
  if (errno == EEXIST) return false;
  // Not every file system can.
  if (errno != EINVAL && errno != ENOSYS)
    return FailErrno(fmt::format("rename {} to {}", from, to));
  struct stat status{};
  if (::lstat(to.c_str(), &status) == 0) return false;
  if (::rename(from.c_str(), to.c_str()) != 0)
    return FailErrno(fmt::format("rename {} to {}", from, to));
  return true;
}

Result<void> MakeDirectories(const std::string& path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error) return Fail("mkdir -p {}: {}", path, error.message());
  if (!std::filesystem::is_directory(path, error))
    return Fail("{} is not a folder", path);
  return Ok();
}

Result<TempDir> TempDir::Create(const std::string& prefix) {
  KB_ASSIGN(const std::string root, TempRoot());
  std::string path = fmt::format("{}/{}-{}-XXXXXX", root, prefix, ::getpid());
  if (::mkdtemp(path.data()) == nullptr) {
    const auto failure = FailErrno("making a folder in " + root);
    return Fail("{}; name a folder that you may write to in TMPDIR",
                failure.value().message());
  }
  Fd lock = LockFolder(path);
  return TempDir(path, std::move(lock));
}

Result<void> RemoveTree(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code error;
  fs::remove_all(path, error);
  if (!error) return Ok();
  OpenToOwner(path);
  fs::recursive_directory_iterator it(
      path, fs::directory_options::skip_permission_denied, error);
  for (; !error && it != fs::end(it); it.increment(error))
    OpenToOwner(it->path());  // before it is entered
  fs::remove_all(path, error);
  if (error) return Fail("removing {}: {}", path, error.message());
  return Ok();
}

void TempDir::RemoveStale() {
  const auto root = TempRoot();
  if (!root) return;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(*root, error)) {
    const std::string path = entry.path().string();
    struct stat status{};
    if (!IsOfADeadProcess(entry.path().filename().string()) ||
        ::lstat(path.c_str(), &status) != 0 || status.st_uid != ::getuid())
      continue;
    // Of a process that we cannot see, in another container.
    const Fd lock = LockFolder(path);
    if (lock.valid()) (void)RemoveTree(path);
  }
}

TempDir::TempDir(TempDir&& other) noexcept
    : path_(std::exchange(other.path_, {})), lock_(std::move(other.lock_)) {}

TempDir& TempDir::operator=(TempDir&& other) noexcept {
  if (this != &other) {
    (void)RemoveTree(path_);
    path_ = std::exchange(other.path_, {});
    lock_ = std::move(other.lock_);
  }
  return *this;
}

TempDir::~TempDir() { (void)RemoveTree(path_); }

std::string TempDir::Release() { return std::exchange(path_, {}); }

// The system can only wait for ever: a holder may have been stopped.
Result<FileLock> FileLock::Await(const std::string& path, int operation,
                                 std::chrono::milliseconds limit) {
  constexpr std::chrono::milliseconds kBetweenTries{20};
  KB_ASSIGN(Fd fd, OpenLockFile(path));
  const Deadline deadline(limit);
  while (true) {
    KB_ASSIGN(const Locked locked, TryLock(path, fd, operation));
    if (locked == Locked::kYes) return FileLock(fd.Release());
    if (deadline.Passed())
      return Fail(
          "another kernelbench has held {} for {} s; look whether it is "
          "stopped",
          path, std::chrono::ceil<std::chrono::seconds>(limit).count());
    if (locked == Locked::kNo) std::this_thread::sleep_for(kBetweenTries);
    if (locked == Locked::kGone) {
      KB_ASSIGN(fd, OpenLockFile(path));
    }
  }
}

Result<FileLock> FileLock::Acquire(const std::string& path,
                                   std::chrono::milliseconds limit) {
  return Await(path, LOCK_EX, limit);
}

Result<FileLock> FileLock::Share(const std::string& path,
                                 std::chrono::milliseconds limit) {
  return Await(path, LOCK_SH, limit);
}

Result<std::optional<FileLock>> FileLock::TryAcquire(const std::string& path,
                                                     std::string_view holder) {
  KB_ASSIGN(Fd fd, OpenLockFile(path));
  while (true) {
    KB_ASSIGN(const Locked locked, TryLock(path, fd, LOCK_EX));
    if (locked == Locked::kNo) return std::optional<FileLock>();
    if (locked == Locked::kYes) break;
    KB_ASSIGN(fd, OpenLockFile(path));
  }
  const auto size = static_cast<ssize_t>(holder.size());
  if (::ftruncate(fd.get(), 0) != 0 ||
      ::pwrite(fd.get(), holder.data(), holder.size(), 0) != size)
    return FailErrno("write " + path);
  return FileLock(fd.Release());
}

void FileLock::RemoveIfLast(const std::string& path) {
  const Fd fd(std::exchange(fd_, -1));
  if (fd.valid() && ::flock(fd.get(), LOCK_EX | LOCK_NB) == 0 &&
      IsStillAt(path, fd))
    ::unlink(path.c_str());
}

FileLock::FileLock(FileLock&& other) noexcept
    : fd_(std::exchange(other.fd_, -1)) {}

FileLock& FileLock::operator=(FileLock&& other) noexcept {
  if (this != &other) {
    Fd released(std::exchange(fd_, std::exchange(other.fd_, -1)));
  }
  return *this;
}

FileLock::~FileLock() { Fd released(fd_); }

Result<std::string> CacheDirectory(const std::string& name) {
  KB_ASSIGN(std::string path, CacheRoot());
  KB_ASSIGN(path, Absolute(path, "the cache"));
  path += "/" + name;
  if (const auto made = MakeDirectories(path); !made)
    return Fail("{}; name a folder that you may write to in KB_CACHE",
                made.error().message());
  return path;
}

Result<std::string> InstallRoot() {
  std::error_code error;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", error);
  if (error) return Fail("read /proc/self/exe: {}", error.message());
  return program.parent_path().parent_path().string();
}

}  // namespace kb::os
