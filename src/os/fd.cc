#include "os/fd.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
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

Result<void> AllowOpenFiles(uint64_t least) {
  constexpr rlim_t kEnough = 4096;
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return FailErrno("getrlimit");
  if (limit.rlim_cur < kEnough) {
    limit.rlim_cur = std::min(limit.rlim_max, kEnough);
    if (::setrlimit(RLIMIT_NOFILE, &limit) != 0) return FailErrno("setrlimit");
  }
  if (limit.rlim_cur >= least) return base::Ok();
  return base::Usage(
      "only {} files may be open at the same time here, and {} are needed: "
      "allow more (ulimit -Hn)",
      limit.rlim_cur, least);
}

namespace {

// For what a person can do something about.
const char* AdviceOn(int error) {
  switch (error) {
    case EMFILE:
    case ENFILE:
      return "; allow more open files (ulimit -n)";
    case ENOSPC:
    case EDQUOT:
      return "; free some space there";
    default:
      return "";
  }
}

}  // namespace

tl::unexpected<base::Error> FailErrno(const std::string& what) {
  const int error = errno;
  return Fail("{}: {}{}", what, ::strerror(error), AdviceOn(error));
}

}  // namespace kb::os
