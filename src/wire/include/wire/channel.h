#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "os/fd.h"

namespace kb::wire {

// What travels between our processes (docs/wire.md). The numbers are part of
// the protocol.
enum class MessageType : uint16_t {
  // orchestrator -> oracle
  kOpenProblem = 1,  // JSON
  kJudge = 2,        // JSON: the turn of a process that was prepared
  kQuit = 3,
  kAudit = 4,    // JSON
  kHeld = 5,     // empty: what kHold asked for is done
  kPrepare = 6,  // JSON + sockets: the reference's, then the candidate's
  // oracle -> orchestrator
  kHello = 10,          // JSON: device facts
  kProblemOpened = 11,  // JSON: problem facts
  kJudged = 12,         // JSON: judgement
  kProgress = 13,       // JSON: {"done": n, "of": n}
  kFailed = 14,         // JSON: {"error": text}
  kAudited = 15,        // JSON: audit
  kHold = 16,           // JSON: {"do": "begin" | "confine" | "suspend" |
                        // "resume" | "end",
                        // "whom": "candidate" | "reference"}; waits for kHeld
  kPrepared = 17,       // empty: both have opened the device or are gone
  // oracle -> jail
  kSetup = 20,  // JSON + memory
  kBegin = 21,  // empty: its turn begins
  // jail -> oracle
  kReady = 30,
  kLoadFailed = 31,  // text
  kNoMemory = 32,    // text
  kOpened = 33,      // {"launch_us"}: wire::Setup; {"observer"}: why none looks
  kObserved = 34,    // JSON: provenance, or {"error"}
  kProfiled = 35,    // JSON: activity, or {"error"}; after kObserved
  // orchestrator -> fork server
  kFork = 40,  // JSON + descriptors: a jail's plan
  // fork server -> orchestrator
  kForked = 41,  // JSON: {"pid"} + its pidfd
};

struct Message {
  MessageType type{};
  std::string payload;
  std::vector<os::Fd> fds;
  int64_t sender = 0;  // its process, where senders are named
};

// What the receiver puts up with. The defaults are for a trusted peer.
struct Limits {
  size_t bytes = size_t{256} << 20;
  size_t fds = 64;
};
// For what comes from a jail: short texts, no descriptors.
inline constexpr Limits kFromJail{16 << 10, 0};

// One end of a SOCK_SEQPACKET socket. Payloads that a packet cannot hold travel
// in a memfd. Thread-safety: one thread.
class Channel {
 public:
  explicit Channel(os::Fd fd) : fd_(std::move(fd)) {}

  // The kernel says from now on which process sent a message, as this one
  // sees processes.
  base::Result<void> NameSenders();

  // `fds` stay the caller's.
  base::Result<void> Send(MessageType type, std::string_view payload,
                          const std::vector<int>& fds = {});

  // The next message; nothing when the peer has closed. An Error when the time
  // is over, or the peer broke the protocol or the limits.
  base::Result<std::optional<Message>> Receive(
      std::optional<std::chrono::milliseconds> timeout, Limits limits = {});

  // The peer went without having read all that was sent to it; known once
  // Receive has said that it is gone.
  bool left_unread() const { return left_unread_; }

  // The last Receive found nothing in its time, and nothing was wrong.
  bool timed_out() const { return timed_out_; }

  // The peer is gone and nothing is left to read.
  bool PeerClosed() const;

  int fd() const { return fd_.get(); }

 private:
  os::Fd fd_;
  bool left_unread_ = false;
  bool timed_out_ = false;
};

}  // namespace kb::wire
