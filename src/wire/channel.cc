#include "wire/channel.h"

#include <poll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

namespace kb::wire {
namespace {

using base::Result;

constexpr uint32_t kMagic = 0x4b42'5731;  // "KBW1"
constexpr size_t kInlineBytes = 32 << 10;
constexpr size_t kMaxFds = 64;

struct Header {
  uint32_t magic;
  uint16_t type;
  uint16_t spilled;  // 1: the payload is in the last descriptor
  uint64_t size;
};

Result<os::Fd> Spill(std::string_view payload) {
  os::Fd fd(memfd_create("kb-message", MFD_CLOEXEC));
  if (!fd.valid()) return os::FailErrno("memfd_create");
  size_t written = 0;
  while (written < payload.size()) {
    const ssize_t n =
        write(fd.get(), payload.data() + written, payload.size() - written);
    if (n <= 0) return os::FailErrno("write to a memfd");
    written += static_cast<size_t>(n);
  }
  return fd;
}

Result<std::string> Unspill(int fd, uint64_t size) {
  std::string payload(size, '\0');
  size_t got = 0;
  while (got < size) {
    const ssize_t n =
        pread(fd, payload.data() + got, size - got, static_cast<off_t>(got));
    if (n <= 0) return base::Fail("a message is shorter than it says");
    got += static_cast<size_t>(n);
  }
  return payload;
}

std::vector<os::Fd> TakeFds(msghdr* header) {
  std::vector<os::Fd> fds;
  for (cmsghdr* c = CMSG_FIRSTHDR(header); c != nullptr;
       c = CMSG_NXTHDR(header, c)) {
    if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS) continue;
    const size_t count = (c->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (size_t i = 0; i < count; ++i) {
      int fd = -1;
      std::memcpy(&fd, CMSG_DATA(c) + i * sizeof(int), sizeof(int));
      fds.emplace_back(fd);
    }
  }
  return fds;
}

int64_t SenderOf(msghdr* header) {
  for (cmsghdr* c = CMSG_FIRSTHDR(header); c != nullptr;
       c = CMSG_NXTHDR(header, c)) {
    if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_CREDENTIALS)
      continue;
    ucred sender{};
    std::memcpy(&sender, CMSG_DATA(c), sizeof(sender));
    return sender.pid;
  }
  return 0;
}

// False: the time is over.
Result<bool> WaitReadable(int fd,
                          std::optional<std::chrono::milliseconds> timeout) {
  const auto end = std::chrono::steady_clock::now() +
                   timeout.value_or(std::chrono::milliseconds(0));
  while (true) {
    int left = -1;
    if (timeout) {
      const auto remaining = std::chrono::ceil<std::chrono::milliseconds>(
          end - std::chrono::steady_clock::now());
      left = static_cast<int>(std::max<int64_t>(0, remaining.count()));
    }
    pollfd entry{fd, POLLIN, 0};
    const int ready = poll(&entry, 1, left);
    if (ready >= 0) return ready > 0;
    if (errno != EINTR) return os::FailErrno("poll");
  }
}

}  // namespace

Result<void> Channel::NameSenders() {
  const int on = 1;
  if (setsockopt(fd_.get(), SOL_SOCKET, SO_PASSCRED, &on, sizeof(on)) != 0)
    return os::FailErrno("SO_PASSCRED");
  return base::Ok();
}

Result<void> Channel::Send(MessageType type, std::string_view payload,
                           const std::vector<int>& fds) {
  Header header{kMagic, static_cast<uint16_t>(type), 0, payload.size()};
  std::vector<int> all = fds;
  os::Fd spill;
  if (payload.size() > kInlineBytes) {
    KB_ASSIGN(spill, Spill(payload));
    all.push_back(spill.get());
    header.spilled = 1;
    payload = {};
  }
  if (all.size() > kMaxFds)
    return base::Fail("{} descriptors in one message", all.size());
  // The kernel only reads what it sends.
  std::array<iovec, 2> parts{
      {{&header, sizeof(header)},
       {const_cast<char*>(payload.data()), payload.size()}}};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int) * kMaxFds)>
      control{};
  msghdr message{};
  message.msg_iov = parts.data();
  message.msg_iovlen = parts.size();
  if (!all.empty()) {
    message.msg_control = control.data();
    message.msg_controllen = CMSG_SPACE(sizeof(int) * all.size());
    cmsghdr* c = CMSG_FIRSTHDR(&message);
    c->cmsg_level = SOL_SOCKET;
    c->cmsg_type = SCM_RIGHTS;
    c->cmsg_len = CMSG_LEN(sizeof(int) * all.size());
    std::memcpy(CMSG_DATA(c), all.data(), sizeof(int) * all.size());
  }
  while (sendmsg(fd_.get(), &message, MSG_NOSIGNAL) < 0)
    if (errno != EINTR) return os::FailErrno("sendmsg");
  return base::Ok();
}

Result<std::optional<Message>> Channel::Receive(
    std::optional<std::chrono::milliseconds> timeout, Limits limits) {
  KB_ASSIGN(const bool readable, WaitReadable(fd_.get(), timeout));
  timed_out_ = !readable;
  if (timed_out_) return base::Fail("no answer in time");
  Header header{};
  std::string body(std::min(limits.bytes, kInlineBytes), '\0');
  std::array<iovec, 2> parts{
      {{&header, sizeof(header)}, {body.data(), body.size()}}};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int) * kMaxFds) +
                                        CMSG_SPACE(sizeof(ucred))>
      control{};
  msghdr raw{};
  raw.msg_iov = parts.data();
  raw.msg_iovlen = parts.size();
  raw.msg_control = control.data();
  raw.msg_controllen = control.size();
  const ssize_t got = recvmsg(fd_.get(), &raw, MSG_CMSG_CLOEXEC);
  left_unread_ = got < 0 && errno == ECONNRESET;
  // Nothing is also what a packet without a byte looks like.
  if (left_unread_ || (got == 0 && PeerClosed()))
    return std::optional<Message>();
  if (got < 0) return os::FailErrno("recvmsg");

  Message message;
  message.fds = TakeFds(&raw);
  message.sender = SenderOf(&raw);
  const auto size = static_cast<size_t>(got);
  if (size < sizeof(header) || header.magic != kMagic ||
      (raw.msg_flags & (MSG_TRUNC | MSG_CTRUNC)) != 0 ||
      header.size > limits.bytes || header.spilled > 1)
    return base::Fail("the peer sent a malformed message");
  message.type = static_cast<MessageType>(header.type);
  if (header.spilled == 1) {
    if (message.fds.empty() || limits.fds == 0)
      return base::Fail("the peer sent a malformed message");
    KB_ASSIGN(message.payload, Unspill(message.fds.back().get(), header.size));
    message.fds.pop_back();
  } else {
    if (header.size != size - sizeof(header))
      return base::Fail("the peer sent a malformed message");
    body.resize(header.size);
    message.payload = std::move(body);
  }
  if (message.fds.size() > limits.fds)
    return base::Fail("the peer sent descriptors that nobody asked for");
  return std::optional<Message>(std::move(message));
}

bool Channel::PeerClosed() const {
  pollfd entry{fd_.get(), POLLIN | POLLRDHUP, 0};
  if (poll(&entry, 1, 0) <= 0) return false;
  return (entry.revents & (POLLHUP | POLLRDHUP | POLLERR)) != 0;
}

}  // namespace kb::wire
