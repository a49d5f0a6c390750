#include "os/fd.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace kb::os {

using base::Fail;
using base::Result;

void Fd::Close() {
  if (fd_ >= 0) ::close(std::exchange(fd_, -1));
}

Result<Fd> Fd::Duplicate() const {
  Fd copy(::fcntl(fd_, F_DUPFD_CLOEXEC, 3));
  if (!copy.valid()) return FailErrno("duplicating a file descriptor");
  return copy;
}

Result<std::pair<Fd, Fd>> SocketPair() {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
    return FailErrno("making a socket pair");
  return std::pair<Fd, Fd>(Fd(ends[0]), Fd(ends[1]));
}

tl::unexpected<base::Error> FailErrno(const std::string& what) {
  return Fail("{}: {}", what, ::strerror(errno));
}

}  // namespace kb::os
