#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "device/device.h"
#include "device/kernels.h"
#include "memory_plan.h"
#include "oracle/reference.h"
#include "wire/channel.h"
#include "wire/setup.h"

namespace kb::oracle {

// Of a weight once.
CallBytes BytesOf(const record::ProblemFacts& facts);

// All memory that the oracle shares with the processes of one problem: weights,
// slots for the inputs and, with red zones, for the outputs of a chain's calls.
// Every process of the problem gets the same memory, so a slot never holds
// anything secret: an output slot is poisoned before each chain, and inputs are
// fresh.
class Exchange {
 public:
  static base::Result<Exchange> Create(device::Device* device,
                                       device::Kernels* kernels,
                                       const record::ProblemFacts& facts,
                                       size_t slots);

  // The set-up message for a new jail with `mailbox` and, unless null, `pool`:
  // `message` with what this knows of the memory and the problem filled in.
  base::Result<void> SendSetup(wire::Channel* channel,
                               const device::SharedMemory& mailbox,
                               const device::SharedMemory* pool,
                               wire::Setup message) const;

  Needs NeedsOf(const Reference& reference) const;

  size_t slots() const { return layout_.slots; }
  // A call moves so much memory that our own work takes longer than it does.
  bool IsLarge() const { return layout_.slots < 8; }
  uint64_t output_bytes() const { return layout_.output_bytes; }
  std::byte* input(size_t slot, size_t i) const;
  std::byte* output(size_t slot, size_t i) const;
  const record::ProblemFacts& facts() const { return layout_.facts; }
  const std::vector<record::TensorSpec>& input_specs() const {
    return input_specs_;
  }
  const std::vector<record::TensorSpec>& output_specs() const {
    return layout_.facts.outputs;
  }

  // The weights as every process gets them. The reference's own may change, as
  // running means do.
  base::Result<void> KeepWeights(const std::vector<TensorView>& state);
  // Writes them for the next process; nothing that one did to them is left.
  base::Result<void> FillWeights();
  // Whether they are still what FillWeights wrote.
  base::Result<bool> WeightsIntact();

  // Poisons the outputs and red zones of some slots; enqueued, not waited for.
  base::Result<void> Poison(size_t first, size_t slots, uint64_t seed);
  // What was written beside an output.
  struct Overwrite {
    size_t output = 0;
    bool behind = false;  // else before its start
    uint64_t bytes = 0;   // how far from the output
    bool operator==(const Overwrite&) const = default;
  };

  // Keeps a slot's inputs where nobody else sees them; enqueued, not waited
  // for. Where there is one slot they are left where they are.
  base::Result<void> Fill(size_t slot, const std::vector<TensorView>& inputs);
  // Where they are kept; empty where there is one slot.
  std::vector<TensorView> Filled(size_t slot) const;
  // Writes the inputs of some slots at once; enqueued, not waited for.
  base::Result<void> Deliver(size_t first, size_t slots);

  // What a call wrote to besides its outputs.
  struct Trespass {
    int input = -1;  // that differs from the pristine one, -1 if none does
    std::optional<Overwrite> beside;  // the first one since Poison
  };
  // `inputs`: the pristine ones, of which forward may change those in `free`.
  base::Result<Trespass> FindTrespass(size_t slot,
                                      const std::vector<TensorView>& inputs,
                                      const std::vector<size_t>& free = {});

 private:
  struct Zone {
    uint64_t offset;
    uint64_t bytes;
  };

  Exchange(device::Device* device, device::Kernels* kernels)
      : device_(device), kernels_(kernels) {}
  void LayOut(const record::ProblemFacts& facts);
  base::Result<Overwrite> Locate(size_t slot, size_t zone);
  base::Result<void> Allocate();
  std::byte* filled(size_t slot, size_t i) const {
    return filled_->data() + slot * layout_.input_bytes +
           layout_.inputs.at(i).offset;
  }
  std::byte* slot_outputs(size_t slot) const {
    return outputs_->data() + slot * layout_.output_bytes;
  }

  device::Device* device_;
  device::Kernels* kernels_;
  std::vector<record::TensorSpec> input_specs_;
  wire::Setup layout_;
  std::vector<Zone> zones_;  // before output i, and after the last
  std::unique_ptr<device::SharedMemory> weights_;
  std::unique_ptr<device::SharedMemory> kept_weights_;  // nobody else's
  bool weights_filled_ = false;  // asked where they are not filled again
  std::unique_ptr<device::SharedMemory> zone_pattern_;
  std::unique_ptr<device::SharedMemory> inputs_;
  std::unique_ptr<device::SharedMemory> outputs_;
  std::unique_ptr<device::SharedMemory> filled_;  // null: one slot
  std::vector<TensorView> filled_views_;          // where there is one slot
};

}  // namespace kb::oracle
