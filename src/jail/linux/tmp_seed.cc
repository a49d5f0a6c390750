#include "linux/tmp_seed.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>

#include "os/files.h"

namespace kb::jail {

using base::Fail;
using base::Ok;
using base::Result;

namespace {

// sendfile's limit for one call.
constexpr uint64_t kChunk = uint64_t{1} << 30;

bool Send(int to, int from, off_t offset, uint64_t size) {
  while (size > 0) {
    const ssize_t n =
        ::sendfile(to, from, &offset, size < kChunk ? size : kChunk);
    if (n < 0 && errno == EINTR) continue;
    if (n == 0) errno = EIO;  // the source is shorter than it was
    if (n <= 0) return false;
    size -= static_cast<uint64_t>(n);
  }
  return true;
}

}  // namespace

Result<TmpSeed> TmpSeed::Read(const std::string& source,
                              const std::string& name, uint64_t max_bytes) {
  if (name.empty() || name == "." || name == ".." ||
      name.find('/') != std::string::npos)
    return Fail("\"{}\" is not a name for a folder below /tmp", name);
  TmpSeed seed;
  seed.bytes_ = os::Fd(::memfd_create("kernelbench-seed", MFD_CLOEXEC));
  if (!seed.bytes_.valid()) return os::FailErrno("memfd_create");
  KB_TRY(seed.Add(source, name, max_bytes));
  std::error_code error;
  std::filesystem::recursive_directory_iterator it(source, error);
  for (; !error && it != std::filesystem::end(it); it.increment(error)) {
    const std::string from = it->path().string();
    const std::string below = from.substr(source.size());
    const bool slash = below.starts_with('/');
    KB_TRY(seed.Add(from, name + (slash ? "" : "/") + below, max_bytes));
  }
  if (error) return Fail("reading {}: {}", source, error.message());
  return seed;
}

Result<void> TmpSeed::Add(const std::string& from, const std::string& path,
                          uint64_t max_bytes) {
  struct stat status{};
  if (::lstat(from.c_str(), &status) != 0) return os::FailErrno("stat " + from);
  Entry entry;
  entry.path = path;
  entry.mode = status.st_mode;
  entry.modified = status.st_mtim;
  if (S_ISLNK(status.st_mode)) {
    std::error_code error;
    entry.link = std::filesystem::read_symlink(from, error).string();
    if (error) return Fail("reading {}: {}", from, error.message());
  } else if (S_ISREG(status.st_mode)) {
    entry.size = static_cast<uint64_t>(status.st_size);
    KB_TRY(AddBytes(from, entry, max_bytes));
  } else if (!S_ISDIR(status.st_mode)) {
    return Fail("{} is neither a file nor a folder", from);
  }
  entries_.push_back(std::move(entry));
  return Ok();
}

Result<void> TmpSeed::AddBytes(const std::string& from, Entry& entry,
                               uint64_t max_bytes) {
  if (entry.size > max_bytes - total_)
    return Fail("{}: more than the {} bytes that a private /tmp holds", from,
                max_bytes);
  const os::Fd file(::open(from.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC));
  if (!file.valid()) return os::FailErrno("open " + from);
  entry.offset = static_cast<off_t>(total_);
  if (!Send(bytes_.get(), file.get(), 0, entry.size))
    return os::FailErrno("copying " + from);
  total_ += entry.size;
  return Ok();
}

base::Json TmpSeed::EncodeEntries() const {
  base::Json all = base::Json::array();
  for (const Entry& entry : entries_)
    all.push_back({entry.path, entry.mode, entry.modified.tv_sec,
                   entry.modified.tv_nsec, entry.offset, entry.size,
                   entry.link});
  return all;
}

TmpSeed TmpSeed::Decode(const base::Json& entries, os::Fd bytes) {
  TmpSeed seed;
  seed.bytes_ = std::move(bytes);
  for (const base::Json& entry : entries)
    seed.entries_.push_back({entry.at(0),
                             entry.at(1),
                             {entry.at(2), entry.at(3)},
                             entry.at(4),
                             entry.at(5),
                             entry.at(6)});
  return seed;
}

// --- In the jail, before the foreign program starts ---

const char* TmpSeed::Unpack(int directory, int bytes) const {
  for (const Entry& entry : entries_)
    if (!Make(directory, bytes, entry)) return entry.path.c_str();
  // Backwards: making a file changes the time of its folder.
  for (size_t i = entries_.size(); i-- > 0;)
    if (!Finish(directory, entries_[i])) return entries_[i].path.c_str();
  return nullptr;
}

bool TmpSeed::Make(int directory, int bytes, const Entry& entry) {
  const char* path = entry.path.c_str();
  if (S_ISDIR(entry.mode)) return ::mkdirat(directory, path, 0700) == 0;
  if (S_ISLNK(entry.mode))
    return ::symlinkat(entry.link.c_str(), directory, path) == 0;
  return MakeFile(directory, bytes, entry);
}

bool TmpSeed::MakeFile(int directory, int bytes, const Entry& entry) {
  const int fd = ::openat(directory, entry.path.c_str(),
                          O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (fd < 0) return false;
  const bool good = Send(fd, bytes, entry.offset, entry.size);
  return ::close(fd) == 0 && good;
}

bool TmpSeed::Finish(int directory, const Entry& entry) {
  const char* path = entry.path.c_str();
  // The owner changes, so set-uid bits would lie.
  if (!S_ISLNK(entry.mode) &&
      ::fchmodat(directory, path, entry.mode & 0777, 0) != 0)
    return false;
  const timespec times[2] = {entry.modified, entry.modified};
  return ::utimensat(directory, path, times, AT_SYMLINK_NOFOLLOW) == 0;
}

}  // namespace kb::jail
