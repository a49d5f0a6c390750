#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include "base/json.h"
#include "device/device.h"
#include "record/evaluation.h"
#include "wire/channel.h"
#include "wire/mailbox.h"
#include "wire/poll.h"
#include "wire/setup.h"

namespace kb::oracle {

class Exchange;

// The oracle's side of one jail: socket and mailbox. Nothing that comes back is
// trusted further than its type says.
class JailLink {
 public:
  // How waiting for the jail ended.
  enum class Wait { kDone, kFailed, kGone, kTimeout };

  static base::Result<JailLink> Connect(os::Fd socket, bool cuda);

  // Sends the set-up with the memory of `exchange` and, unless null, `pool`;
  // false when the jail is gone already.
  bool SetUp(const Exchange& exchange, const device::SharedMemory* pool,
             const wire::Setup& setup);

  // Waits until the process has opened the device, before it loads anything;
  // false when it is gone.
  bool AwaitOpened(std::chrono::milliseconds timeout);

  // What it said of its context then (wire::Setup::launch_us). For processes of
  // our own.
  base::Result<double> LaunchMicros() const;
  // What the one takes that it kept; 0: it did not look.
  base::Result<double> KeptMicros() const;
  // How many it opened until it had a fast one.
  base::Result<int64_t> Contexts() const;

  // Why it cannot look at what runs, which it said before anything foreign was
  // loaded; empty: it can.
  std::string WhyNotObserved() const;

  // What it tells of what ran, after a chain of Work::kTell. Into `judgement`:
  // provenance, or why there is none.
  void AwaitObserved(std::chrono::milliseconds timeout,
                     record::Judgement* judgement);

  // And of where its time went, which it tells next. Into `judgement`:
  // activity, or why there is none.
  void AwaitProfiled(std::chrono::milliseconds timeout,
                     record::Judgement* judgement);

  // Its turn begins; false when it is gone.
  bool Begin();

  // Waits until the candidate is built. `judgement` is marked loaded, or gets
  // the status and text of how loading failed.
  void AwaitLoaded(std::chrono::milliseconds timeout,
                   record::Judgement* judgement);

  // What it said of itself when it was loaded: a line that begins with
  // record::kSaysOfItself and is no proof of anything. Empty: nothing.
  const std::string& load_remark() const { return load_remark_; }

  // Announces the next chain.
  void Announce(const wire::Chain& chain);
  // Waits until the jail has enqueued it (gated) or is polling for `go`.
  Wait AwaitArmed(std::chrono::milliseconds timeout);
  // Releases it.
  void Go();
  // `missed`: as wire::WaitFor has it.
  Wait AwaitDone(std::chrono::milliseconds timeout, int64_t* missed = nullptr);

  // On cpu, how long its first thread has waited for a processor, microseconds
  // since it began; nothing where that is not known.
  std::optional<double> WaitedMicros() const;

  // What the jail says of the chain that ended. Sanitised.
  struct Report {
    wire::CallStatus status = wire::CallStatus::kFailed;
    std::string text;
  };
  Report ReadReport() const;
  // The same of a chain that went well, of which our hosts say nothing. Empty
  // where there is a load_remark(): one is enough.
  std::string Remark() const;
  // Where an output is: its number counts through all calls of the chain.
  uint64_t ReadPlace(size_t output) const;

 private:
  // The JSON that it sends next; `why` says why there is none, also where it
  // says so itself.
  std::optional<base::Json> ReadTold(std::chrono::milliseconds timeout,
                                     wire::MessageType type, std::string* why);
  JailLink(os::Fd socket, std::unique_ptr<device::SharedMemory> mailbox,
           bool cuda);
  Wait WaitForWord(const std::atomic<uint32_t>& word,
                   std::chrono::milliseconds timeout,
                   int64_t* missed = nullptr);
  wire::Mailbox& mailbox() const;

  wire::Channel channel_;
  std::unique_ptr<device::SharedMemory> memory_;
  wire::Poll style_;
  std::string load_remark_;
  uint32_t number_ = 0;  // of the last chain
  int64_t process_ = 0;  // that opened the device; 0: not known
  base::Json opened_;    // what it said when it had opened the device
};

}  // namespace kb::oracle
