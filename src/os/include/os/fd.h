#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"

namespace kb::os {

// Owner of a file descriptor.
class Fd {
 public:
  Fd() = default;
  explicit Fd(int fd) : fd_(fd) {}
  Fd(Fd&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Fd& operator=(Fd&& other) noexcept {
    if (this != &other) {
      Close();
      fd_ = std::exchange(other.fd_, -1);
    }
    return *this;
  }
  Fd(const Fd&) = delete;
  Fd& operator=(const Fd&) = delete;
  ~Fd() { Close(); }

  int get() const { return fd_; }
  bool valid() const { return fd_ >= 0; }
  int Release() { return std::exchange(fd_, -1); }
  void Close();
  base::Result<Fd> Duplicate() const;

 private:
  int fd_ = -1;
};

// Two ends of a SOCK_SEQPACKET Unix socket, both close-on-exec.
base::Result<std::pair<Fd, Fd>> SocketPair();

// Lets this process and its children have as many files open as the system
// allows; an Error when that is less than `least`.
base::Result<void> AllowOpenFiles(uint64_t least);

// What errno says, for messages: "open /x: No such file or directory", and what
// to do where that is known.
tl::unexpected<base::Error> FailErrno(const std::string& what);

}  // namespace kb::os
