#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "device/device.h"
#include "wire/mailbox.h"
#include "wire/setup.h"

namespace kb::candidate {

// The shared arenas as this process sees them.
class Memory {
 public:
  static base::Result<Memory> Map(device::Device* device, wire::Setup setup,
                                  std::vector<os::Fd> fds);

  const wire::Setup& setup() const { return setup_; }
  wire::Mailbox& mailbox() const { return *mailbox_; }
  std::byte* state(size_t i) const;
  std::byte* input(size_t slot, size_t i) const;
  std::byte* output(size_t slot, size_t i) const;
  // The whole pool; empty when there is none.
  std::span<std::byte> pool() const;
  // The address lies inside an input slot.
  bool IsInput(const std::byte* address) const;

 private:
  struct Unmap {
    void operator()(wire::Mailbox* mailbox) const;
  };
  wire::Setup setup_;
  std::unique_ptr<wire::Mailbox, Unmap> mailbox_;
  std::unique_ptr<device::SharedMemory> weights_;
  std::unique_ptr<device::SharedMemory> inputs_;
  std::unique_ptr<device::SharedMemory> outputs_;
  std::unique_ptr<device::SharedMemory> pool_;
};

// How loading or a chain ended.
struct CallResult {
  wire::CallStatus status = wire::CallStatus::kOk;
  std::string text;  // of a failure; with kOk a remark
};

// What a jail runs: a native library or PyTorch code.
class Body {
 public:
  virtual ~Body() = default;
  // Builds the candidate. kOk, or how it failed.
  virtual CallResult Load(const Memory& memory) = 0;
  // Gets ready for a chain of forwards, untimed; the inputs are not there yet.
  // Also calls them, into a graph, where the chain is captured.
  // What the chain before it made may go.
  virtual CallResult Prepare(const wire::Chain& chain) = 0;
  // The stream of the next Enqueue, null on cpu.
  virtual void* stream() const = 0;
  // Calls forward for each call of the chain. Work may be enqueued only; where
  // each output will be is written to `places`, call by call.
  virtual CallResult Enqueue(std::span<uint64_t> places) = 0;
};

// Serves chains until the oracle closes its end. Touches no device before the
// oracle has sent the set-up. The process's exit code.
int Serve(int socket, const std::string& device_name,
          const std::function<std::unique_ptr<Body>(device::Device*)>& make);

// A candidate compiled to a shared library against kernelbench/candidate.h.
std::unique_ptr<Body> NewNativeBody(device::Device* device,
                                    std::string library_path);

}  // namespace kb::candidate
