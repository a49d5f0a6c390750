#include "exchange.h"

#include <algorithm>

#include "base/check.h"

namespace kb::oracle {
namespace {

using base::Result;
using record::DType;

constexpr uint64_t kAlignment = 512;  // as PyTorch's allocator
constexpr uint64_t kZoneBytes = 4096;

uint64_t AlignUp(uint64_t offset) {
  return (offset + kAlignment - 1) / kAlignment * kAlignment;
}

// Places one after the other; the bytes they need together.
uint64_t Place(const std::vector<record::TensorSpec>& specs,
               std::vector<wire::Place>* places) {
  uint64_t offset = 0;
  for (const record::TensorSpec& spec : specs) {
    places->push_back({offset});
    offset = AlignUp(offset + spec.Bytes());
  }
  return std::max(offset, kAlignment);
}

}  // namespace

Result<Exchange> Exchange::Create(device::Device* device,
                                  device::Kernels* kernels,
                                  const record::ProblemFacts& facts,
                                  const std::vector<TensorView>& state) {
  Exchange exchange(device, kernels);
  exchange.LayOut(facts);
  KB_TRY(exchange.Allocate());
  for (size_t i = 0; i < state.size(); ++i)
    KB_TRY(device->Copy(
        exchange.weights_->data() + exchange.layout_.state[i].offset,
        state[i].data, state[i].spec.Bytes(), nullptr));
  KB_TRY(device->Synchronize());
  return exchange;
}

void Exchange::LayOut(const record::ProblemFacts& facts) {
  layout_.facts = facts;
  input_specs_ = record::TensorsOf(facts.inputs);
  output_specs_ = facts.outputs;
  std::vector<record::TensorSpec> state;
  for (const record::NamedTensor& tensor : facts.state)
    state.push_back(tensor.spec);
  layout_.weights_bytes = Place(state, &layout_.state);
  layout_.input_bytes = Place(input_specs_, &layout_.inputs);

  // A red zone before the first output and from the last byte of each to the
  // next one's first.
  uint64_t offset = 0;
  for (const record::TensorSpec& spec : output_specs_) {
    const uint64_t start = AlignUp(offset + kZoneBytes);
    zones_.push_back({offset, start - offset});
    layout_.outputs.push_back({start});
    offset = start + spec.Bytes();
  }
  const uint64_t end = AlignUp(offset + kZoneBytes);
  zones_.push_back({offset, end - offset});
  layout_.output_bytes = end;
}

Result<void> Exchange::Allocate() {
  KB_ASSIGN(weights_, device_->Allocate(layout_.weights_bytes));
  KB_ASSIGN(zone_pattern_, device_->Allocate(2 * kZoneBytes));
  // Two addresses for everything when that leaves most of the memory free.
  KB_ASSIGN(const uint64_t free, device_->FreeMemory());
  const uint64_t once = layout_.input_bytes + layout_.output_bytes;
  const uint32_t slots = 2 * once < free / 3 ? 2 : 1;
  for (uint32_t i = 0; i < slots; ++i) {
    KB_ASSIGN(auto input, device_->Allocate(layout_.input_bytes));
    inputs_.push_back(std::move(input));
    KB_ASSIGN(auto output, device_->Allocate(layout_.output_bytes));
    outputs_.push_back(std::move(output));
  }
  layout_.input_slots = slots;
  layout_.output_slots = slots;
  return base::Ok();
}

Result<void> Exchange::SendSetup(wire::Channel* channel,
                                 const device::SharedMemory& mailbox,
                                 wire::Setup setup) const {
  wire::Setup message = layout_;
  message.device = std::move(setup.device);
  message.precision = setup.precision;
  message.construction_seed = setup.construction_seed;
  message.calibration_calls = setup.calibration_calls;
  std::vector<int> fds{mailbox.fd(), weights_->fd()};
  for (const auto& slot : inputs_) fds.push_back(slot->fd());
  for (const auto& slot : outputs_) fds.push_back(slot->fd());
  return channel->Send(wire::MessageType::kSetup,
                       base::DumpJson(wire::ToJson(message)), fds);
}

std::byte* Exchange::input(uint32_t slot, size_t i) const {
  return inputs_.at(slot)->data() + layout_.inputs.at(i).offset;
}

std::byte* Exchange::output(uint32_t slot, size_t i) const {
  return outputs_.at(slot)->data() + layout_.outputs.at(i).offset;
}

Result<void> Exchange::Poison(uint32_t slot, uint64_t seed) {
  for (size_t i = 0; i < output_specs_.size(); ++i)
    KB_TRY(kernels_->Poison(output(slot, i), output_specs_[i].dtype,
                            output_specs_[i].Elements(), seed));
  for (const Zone& zone : zones_)
    KB_TRY(kernels_->Poison(outputs_[slot]->data() + zone.offset, DType::kUInt8,
                            static_cast<int64_t>(zone.bytes), seed));
  return kernels_->Poison(zone_pattern_->data(), DType::kUInt8, 2 * kZoneBytes,
                          seed);
}

Result<bool> Exchange::RedZonesIntact(uint32_t slot) {
  for (const Zone& zone : zones_) {
    KB_CHECK(zone.bytes <= 2 * kZoneBytes);
    KB_ASSIGN(const uint64_t different,
              kernels_->CountDifferent(outputs_[slot]->data() + zone.offset,
                                       zone_pattern_->data(), zone.bytes));
    if (different != 0) return false;
  }
  return true;
}

Result<void> Exchange::Fill(uint32_t slot,
                            const std::vector<TensorView>& inputs) {
  for (size_t i = 0; i < inputs.size(); ++i)
    KB_TRY(device_->Copy(input(slot, i), inputs[i].data, inputs[i].spec.Bytes(),
                         nullptr));
  return base::Ok();
}

Result<int> Exchange::ModifiedInput(uint32_t slot,
                                    const std::vector<TensorView>& inputs) {
  for (size_t i = 0; i < inputs.size(); ++i) {
    KB_ASSIGN(const uint64_t different,
              kernels_->CountDifferent(input(slot, i), inputs[i].data,
                                       inputs[i].spec.Bytes()));
    if (different != 0) return static_cast<int>(i);
  }
  return -1;
}

Result<std::vector<uint64_t>> Exchange::Sample(uint32_t slot, uint64_t seed) {
  constexpr int64_t kWords = 4096;
  return kernels_->Sample(outputs_[slot]->data(), outputs_[slot]->size(),
                          kWords, seed);
}

}  // namespace kb::oracle
