#pragma once

#include <memory>
#include <vector>

#include "device/device.h"
#include "device/kernels.h"
#include "oracle/reference.h"
#include "wire/channel.h"
#include "wire/mailbox.h"
#include "wire/setup.h"

namespace kb::oracle {

// All memory that the oracle shares with the jails of one problem: weights,
// input slots, output slots with red zones. Every jail of the problem gets the
// same memory, one after the other, so a slot never holds anything secret: an
// output slot is poisoned before each call, and inputs are fresh.
class Exchange {
 public:
  static base::Result<Exchange> Create(device::Device* device,
                                       device::Kernels* kernels,
                                       const record::ProblemFacts& facts,
                                       const std::vector<TensorView>& state);

  // The set-up message for a new jail with `mailbox`.
  base::Result<void> SendSetup(wire::Channel* channel,
                               const device::SharedMemory& mailbox,
                               wire::Setup setup) const;

  uint32_t input_slots() const { return static_cast<uint32_t>(inputs_.size()); }
  uint32_t output_slots() const {
    return static_cast<uint32_t>(outputs_.size());
  }
  std::byte* input(uint32_t slot, size_t i) const;
  std::byte* output(uint32_t slot, size_t i) const;
  const std::vector<record::TensorSpec>& input_specs() const {
    return input_specs_;
  }
  const std::vector<record::TensorSpec>& output_specs() const {
    return output_specs_;
  }

  // Poisons the outputs and red zones of a slot.
  base::Result<void> Poison(uint32_t slot, uint64_t seed);
  // Whether a red zone of the slot changed since.
  base::Result<bool> RedZonesIntact(uint32_t slot);
  // Copies inputs into a slot; enqueued, not waited for.
  base::Result<void> Fill(uint32_t slot, const std::vector<TensorView>& inputs);
  // The index of an input that differs from the pristine one, -1 if none.
  base::Result<int> ModifiedInput(uint32_t slot,
                                  const std::vector<TensorView>& inputs);
  // Words at places that depend on `seed`, of all outputs of a slot.
  base::Result<std::vector<uint64_t>> Sample(uint32_t slot, uint64_t seed);

 private:
  struct Zone {
    uint64_t offset;
    uint64_t bytes;
  };

  Exchange(device::Device* device, device::Kernels* kernels)
      : device_(device), kernels_(kernels) {}
  void LayOut(const record::ProblemFacts& facts);
  base::Result<void> Allocate();

  device::Device* device_;
  device::Kernels* kernels_;
  std::vector<record::TensorSpec> input_specs_;
  std::vector<record::TensorSpec> output_specs_;
  wire::Setup layout_;
  std::vector<Zone> zones_;
  std::unique_ptr<device::SharedMemory> weights_;
  std::unique_ptr<device::SharedMemory> zone_pattern_;
  std::vector<std::unique_ptr<device::SharedMemory>> inputs_;
  std::vector<std::unique_ptr<device::SharedMemory>> outputs_;
};

}  // namespace kb::oracle
