// Packets from a jail: a message within its limits, or an Error; never a wait.

#include "wire/channel.h"

#include <sys/socket.h>

#include <chrono>

#include "input.h"
#include "os/fd.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using kb::wire::kFromJail;
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
    return 0;
  const kb::os::Fd jail(ends[1]);
  kb::wire::Channel ours{kb::os::Fd(ends[0])};
  // The first byte cuts the rest into packets.
  const size_t length = size == 0 ? 1 : size_t{data[0]} + 1;
  for (size_t at = 1; at < size; at += length)
    if (::send(jail.get(), data + at, std::min(length, size - at),
               MSG_DONTWAIT | MSG_NOSIGNAL) < 0)
      break;
  ::shutdown(jail.get(), SHUT_WR);
  for (;;) {
    const auto message = ours.Receive(std::chrono::seconds(10), kFromJail);
    kb::fuzz::Require(!ours.timed_out(), "a peer that closed is gone at once");
    if (!message || !*message) return 0;
    kb::fuzz::Require((*message)->payload.size() <= kFromJail.bytes,
                      "a payload is within its limit");
    kb::fuzz::Require((*message)->fds.empty(), "a jail sends no descriptors");
  }
}
