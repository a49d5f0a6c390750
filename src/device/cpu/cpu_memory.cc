#include "cpu/cpu_memory.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <limits>
#include <utility>

namespace kb::device {

namespace {

// Owner of a shared mapping.
class Mapping {
 public:
  static base::Result<Mapping> Create(int fd, size_t length) {
    void* address =
        mmap(nullptr, length, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (address == MAP_FAILED)
      return os::FailErrno(fmt::format("mmap of {} bytes", length));
    return Mapping(static_cast<std::byte*>(address), length);
  }
  Mapping(Mapping&& other) noexcept
      : address_(std::exchange(other.address_, nullptr)),
        length_(other.length_) {}
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;
  Mapping& operator=(Mapping&&) = delete;
  ~Mapping() {
    if (address_ != nullptr) munmap(address_, length_);
  }
  std::byte* address() const { return address_; }

 private:
  Mapping(std::byte* address, size_t length)
      : address_(address), length_(length) {}
  std::byte* address_;
  size_t length_;
};

class MemfdMemory : public SharedMemory {
 public:
  MemfdMemory(os::Fd fd, Mapping mapping, size_t bytes)
      : fd_(std::move(fd)), mapping_(std::move(mapping)), bytes_(bytes) {}
  std::byte* data() const override { return mapping_.address(); }
  size_t size() const override { return bytes_; }
  int fd() const override { return fd_.get(); }

 private:
  os::Fd fd_;
  Mapping mapping_;
  size_t bytes_;
};

size_t MappedBytes(size_t bytes) {
  return std::max<size_t>(bytes, static_cast<size_t>(sysconf(_SC_PAGESIZE)));
}

base::Result<std::unique_ptr<SharedMemory>> Map(os::Fd fd, size_t bytes) {
  KB_ASSIGN(auto mapping, Mapping::Create(fd.get(), MappedBytes(bytes)));
  return std::make_unique<MemfdMemory>(std::move(fd), std::move(mapping),
                                       bytes);
}

}  // namespace

base::Result<std::unique_ptr<SharedMemory>> AllocateMemfd(size_t bytes) {
  if (bytes > static_cast<size_t>(std::numeric_limits<off_t>::max()))
    return base::Fail("cannot allocate {} bytes of shared memory", bytes);
  os::Fd fd(memfd_create("kernelbench", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  if (!fd.valid()) return os::FailErrno("memfd_create");
  const auto length = static_cast<off_t>(MappedBytes(bytes));
  if (ftruncate(fd.get(), length) != 0)
    return os::FailErrno(fmt::format("allocating {} bytes of memory", length));
  const int seals = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL;
  if (fcntl(fd.get(), F_ADD_SEALS, seals) != 0)
    return os::FailErrno("sealing shared memory");
  return Map(std::move(fd), bytes);
}

base::Result<std::unique_ptr<SharedMemory>> MapMemfd(os::Fd fd, size_t bytes) {
  struct stat status{};
  if (fstat(fd.get(), &status) != 0)
    return os::FailErrno("looking at imported memory");
  if (static_cast<uint64_t>(status.st_size) < MappedBytes(bytes))
    return base::Fail("imported memory has {} bytes, {} are needed",
                      status.st_size, MappedBytes(bytes));
  const int seals = fcntl(fd.get(), F_GET_SEALS);
  if (seals < 0 || (seals & F_SEAL_SHRINK) == 0)
    return base::Fail("imported memory is not sealed against shrinking");
  return Map(std::move(fd), bytes);
}

}  // namespace kb::device
