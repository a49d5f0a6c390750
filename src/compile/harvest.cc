#include "harvest.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string_view>
#include <vector>

#include "os/fd.h"

namespace kb::compile {
namespace {

using base::Fail;
using base::Ok;
using base::Result;

namespace fs = std::filesystem;

constexpr int kOpenFlags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
constexpr uint64_t kMaxFiles = 10000;
constexpr uint64_t kDiskBlock = 4096;
constexpr int kMaxDepth = 16;

// torch's FileBaton; whoever finds it waits for its owner.
constexpr std::string_view kLockFile = "lock";

Result<void> KeepTime(int fd, const struct stat& status,
                      const std::string& to) {
  const timespec times[2] = {status.st_mtim, status.st_mtim};
  if (::futimens(fd, times) != 0) return os::FailErrno("set time of " + to);
  return Ok();
}

Result<void> CopyFile(int from, const struct stat& status,
                      const std::string& to) {
  const bool runs = (status.st_mode & S_IXUSR) != 0;
  const os::Fd out(::open(to.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
                          runs ? 0755 : 0644));
  if (!out.valid()) return os::FailErrno("create " + to);
  auto left = static_cast<uint64_t>(status.st_size);
  while (left > 0) {
    const ssize_t n = ::sendfile(out.get(), from, nullptr, left);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return os::FailErrno("copy to " + to);
    if (n == 0) return Fail("copy to {}: the file shrank", to);
    left -= static_cast<uint64_t>(n);
  }
  return KeepTime(out.get(), status, to);
}

struct CloseDir {
  void operator()(DIR* dir) const { ::closedir(dir); }
};

std::vector<std::string> Names(int folder) {
  const int duplicate = ::fcntl(folder, F_DUPFD_CLOEXEC, 0);
  if (duplicate < 0) return {};
  const std::unique_ptr<DIR, CloseDir> dir(::fdopendir(duplicate));
  std::vector<std::string> names;
  while (dir != nullptr && names.size() <= kMaxFiles) {
    const dirent* entry = ::readdir(dir.get());
    if (entry == nullptr) break;
    const std::string_view name = entry->d_name;
    if (name != "." && name != "..") names.emplace_back(name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

class TreeCopy {
 public:
  explicit TreeCopy(uint64_t max_bytes) : max_bytes_(max_bytes) {}

  Result<void> Folder(int from, const std::string& to, int depth) {
    if (depth > kMaxDepth) return Fail("folders nested too deeply");
    if (::mkdir(to.c_str(), 0755) != 0) return os::FailErrno("mkdir " + to);
    for (const std::string& name : Names(from)) {
      if (name == kLockFile) continue;
      if (++files_ > kMaxFiles) return Fail("more than {} files", kMaxFiles);
      const os::Fd entry(::openat(from, name.c_str(), kOpenFlags));
      struct stat status{};
      if (!entry.valid() || ::fstat(entry.get(), &status) != 0) continue;
      KB_TRY(Entry(entry.get(), status, fmt::format("{}/{}", to, name), depth));
    }
    struct stat status{};
    if (::fstat(from, &status) != 0) return os::FailErrno("stat of " + to);
    const os::Fd made(::open(to.c_str(), kOpenFlags | O_DIRECTORY));
    return KeepTime(made.get(), status, to);
  }

  const Harvest& harvest() const { return harvest_; }

 private:
  Result<void> Entry(int fd, const struct stat& status, const std::string& to,
                     int depth) {
    if (S_ISDIR(status.st_mode)) return Folder(fd, to, depth + 1);
    if (!S_ISREG(status.st_mode)) return Ok();
    const auto bytes = static_cast<uint64_t>(status.st_size);
    if (bytes > max_bytes_ - harvest_.bytes)
      return Fail("more than {} bytes", max_bytes_);
    harvest_.bytes += bytes;
    if (to.ends_with(".so")) ++harvest_.shared_objects;
    return CopyFile(fd, status, to);
  }

  const uint64_t max_bytes_;
  uint64_t files_ = 0;
  Harvest harvest_;
};

}  // namespace

Result<void> HarvestElf(const std::string& folder, const std::string& name,
                        const std::string& to, uint64_t max_bytes) {
  const os::Fd file(::open((folder + "/" + name).c_str(), kOpenFlags));
  if (!file.valid() && errno == ENOENT) return Fail("it wrote no output file");
  struct stat status{};
  if (!file.valid() || ::fstat(file.get(), &status) != 0)
    return Fail("its output cannot be opened: {}", std::strerror(errno));
  if (!S_ISREG(status.st_mode)) return Fail("its output is no regular file");
  if (static_cast<uint64_t>(status.st_size) > max_bytes)
    return Fail("its output has {} bytes, the limit is {}", status.st_size,
                max_bytes);
  char magic[4] = {};
  if (::pread(file.get(), magic, sizeof magic, 0) != sizeof magic ||
      std::memcmp(magic, "\177ELF", sizeof magic) != 0)
    return Fail("its output is no ELF file");
  return CopyFile(file.get(), status, to);
}

Result<Harvest> HarvestTree(const std::string& folder, const std::string& to,
                            uint64_t max_bytes) {
  const os::Fd from(::open(folder.c_str(), kOpenFlags | O_DIRECTORY));
  if (!from.valid()) return os::FailErrno("open " + folder);
  TreeCopy copy(max_bytes);
  KB_TRY(copy.Folder(from.get(), to, 0));
  return copy.harvest();
}

uint64_t TreeBytes(const std::string& folder, uint64_t stop_at) {
  constexpr uint64_t kStatBlock = 512;  // of st_blocks, on any disk
  uint64_t total = 0;
  std::error_code error;
  fs::recursive_directory_iterator it(
      folder, fs::directory_options::skip_permission_denied, error);
  for (; !error && it != fs::end(it); it.increment(error)) {
    if (total >= stop_at) break;
    struct stat about{};  // files come and go while a build runs
    uint64_t bytes = 0;
    if (::lstat(it->path().c_str(), &about) == 0 && S_ISREG(about.st_mode))
      bytes = std::max(static_cast<uint64_t>(about.st_size),
                       static_cast<uint64_t>(about.st_blocks) * kStatBlock);
    total += std::max(bytes, kDiskBlock);
  }
  return total;
}

}  // namespace kb::compile
