#include "exchange.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/check.h"
#include "defences.h"

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

CallBytes BytesOf(const record::ProblemFacts& facts) {
  CallBytes bytes;
  for (const record::TensorSpec& spec : record::TensorsOf(facts.inputs))
    bytes.inputs += spec.Bytes();
  for (const record::NamedTensor& tensor : facts.state)
    bytes.weights += tensor.spec.Bytes();
  for (const record::TensorSpec& spec : facts.outputs)
    bytes.outputs += spec.Bytes();
  return bytes;
}

Result<Exchange> Exchange::Create(device::Device* device,
                                  device::Kernels* kernels,
                                  const record::ProblemFacts& facts,
                                  size_t slots) {
  Exchange exchange(device, kernels);
  exchange.layout_.slots = static_cast<uint32_t>(slots);
  exchange.LayOut(facts);
  KB_TRY(exchange.Allocate());
  return exchange;
}

void Exchange::LayOut(const record::ProblemFacts& facts) {
  layout_.facts = facts;
  input_specs_ = record::TensorsOf(facts.inputs);
  std::vector<record::TensorSpec> state;
  for (const record::NamedTensor& tensor : facts.state)
    state.push_back(tensor.spec);
  layout_.weights_bytes = Place(state, &layout_.state);
  layout_.input_bytes = Place(input_specs_, &layout_.inputs);

  // A red zone before the first output and from the last byte of each to the
  // next one's first.
  uint64_t offset = 0;
  for (const record::TensorSpec& spec : facts.outputs) {
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
  KB_ASSIGN(inputs_, device_->Allocate(layout_.slots * layout_.input_bytes));
  KB_ASSIGN(outputs_, device_->Allocate(layout_.slots * layout_.output_bytes));
  if (layout_.slots == 1) return base::Ok();
  KB_ASSIGN(filled_, device_->Allocate(layout_.slots * layout_.input_bytes));
  return base::Ok();
}

Result<void> Exchange::SendSetup(wire::Channel* channel,
                                 const device::SharedMemory& mailbox,
                                 const device::SharedMemory* pool,
                                 wire::Setup message) const {
  message.facts = layout_.facts;
  message.state = layout_.state;
  message.inputs = layout_.inputs;
  message.outputs = layout_.outputs;
  message.weights_bytes = layout_.weights_bytes;
  message.input_bytes = layout_.input_bytes;
  message.output_bytes = layout_.output_bytes;
  message.slots = layout_.slots;
  std::vector<int> fds{mailbox.fd(), weights_->fd(), inputs_->fd(),
                       outputs_->fd()};
  if (pool != nullptr) {
    message.pool_bytes = pool->size();
    fds.push_back(pool->fd());
  }
  return channel->Send(wire::MessageType::kSetup,
                       base::DumpJson(wire::ToJson(message)), fds);
}

Needs Exchange::NeedsOf(const Reference& reference) const {
  return {.weights = layout_.weights_bytes,
          .inputs = layout_.input_bytes,
          .outputs = layout_.output_bytes,
          .forward = reference.nature().forward_bytes,
          .slots = layout_.slots};
}

std::byte* Exchange::input(size_t slot, size_t i) const {
  return inputs_->data() + slot * layout_.input_bytes +
         layout_.inputs.at(i).offset;
}

std::byte* Exchange::output(size_t slot, size_t i) const {
  return slot_outputs(slot) + layout_.outputs.at(i).offset;
}

Result<void> Exchange::KeepWeights(const std::vector<TensorView>& state) {
  KB_ASSIGN(kept_weights_, device_->Allocate(layout_.weights_bytes));
  for (size_t i = 0; i < state.size(); ++i)
    KB_TRY(device_->Copy(kept_weights_->data() + layout_.state.at(i).offset,
                         state[i].data, state[i].spec.Bytes(), nullptr));
  return device_->Synchronize();
}

Result<void> Exchange::FillWeights() {
  if (!IsOn(Defence::kWeights) && std::exchange(weights_filled_, true))
    return base::Ok();
  KB_TRY(device_->Copy(weights_->data(), kept_weights_->data(),
                       layout_.weights_bytes, nullptr));
  return device_->Synchronize();
}

Result<bool> Exchange::WeightsIntact() {
  if (!IsOn(Defence::kWeights)) return true;
  KB_ASSIGN(const uint64_t different,
            kernels_->CountDifferent(weights_->data(), kept_weights_->data(),
                                     layout_.weights_bytes));
  return different == 0;
}

Result<void> Exchange::Poison(size_t first, size_t slots, uint64_t seed) {
  const auto& specs = output_specs();
  for (size_t slot = first; slot < first + slots; ++slot) {
    for (size_t i = 0; i < specs.size() && IsOn(Defence::kPoison); ++i)
      KB_TRY(kernels_->Poison(output(slot, i), specs[i].dtype,
                              specs[i].Elements(), seed));
    for (const Zone& zone : zones_)
      KB_TRY(kernels_->Poison(slot_outputs(slot) + zone.offset, DType::kUInt8,
                              static_cast<int64_t>(zone.bytes), seed));
  }
  return kernels_->Poison(zone_pattern_->data(), DType::kUInt8, 2 * kZoneBytes,
                          seed);
}

// Between two outputs it is told of the one that lies nearer.
Result<Exchange::Overwrite> Exchange::Locate(size_t slot, size_t zone) {
  const auto& [offset, bytes] = zones_[zone];
  std::vector<std::byte> there(bytes), expected(bytes);
  const std::array<device::Device::Look, 2> looks{
      {{there.data(), slot_outputs(slot) + offset, bytes},
       {expected.data(), zone_pattern_->data(), bytes}}};
  KB_TRY(device_->Glance(looks));
  uint64_t first = 0, end = bytes;
  while (first < bytes && there[first] == expected[first]) ++first;
  while (end > first && there[end - 1] == expected[end - 1]) --end;
  const bool is_last = zone + 1 == zones_.size();
  const bool behind = zone > 0 && (is_last || first < bytes - end);
  if (behind) return Overwrite{zone - 1, true, end};
  return Overwrite{zone, false, bytes - first};
}

Result<void> Exchange::Fill(size_t slot,
                            const std::vector<TensorView>& inputs) {
  if (!std::ranges::equal(inputs, input_specs_, {}, &TensorView::spec))
    return base::Fail("get_inputs() does not make the same shapes each time");
  if (!filled_) {
    filled_views_ = inputs;
    return base::Ok();
  }
  for (size_t i = 0; i < inputs.size(); ++i)
    KB_TRY(device_->Copy(filled(slot, i), inputs[i].data,
                         inputs[i].spec.Bytes(), nullptr));
  return base::Ok();
}

std::vector<TensorView> Exchange::Filled(size_t slot) const {
  std::vector<TensorView> views;
  for (size_t i = 0; filled_ && i < input_specs_.size(); ++i)
    views.push_back({input_specs_[i], filled(slot, i)});
  return views;
}

Result<void> Exchange::Deliver(size_t first, size_t slots) {
  const size_t offset = first * layout_.input_bytes;
  if (filled_)
    return device_->Copy(inputs_->data() + offset, filled_->data() + offset,
                         slots * layout_.input_bytes, nullptr);
  for (size_t i = 0; i < filled_views_.size(); ++i)
    KB_TRY(device_->Copy(input(0, i), filled_views_[i].data,
                         filled_views_[i].spec.Bytes(), nullptr));
  return base::Ok();
}

Result<Exchange::Trespass> Exchange::FindTrespass(
    size_t slot, const std::vector<TensorView>& inputs,
    const std::vector<size_t>& free) {
  std::vector<device::Kernels::Pair> pairs;
  for (const Zone& zone : zones_) {
    KB_CHECK(zone.bytes <= 2 * kZoneBytes);
    pairs.push_back({slot_outputs(slot) + zone.offset, zone_pattern_->data(),
                     IsOn(Defence::kRedZones) ? zone.bytes : 0});
  }
  for (size_t i = 0; i < inputs.size(); ++i) {
    const bool may =
        !IsOn(Defence::kInputs) || std::ranges::find(free, i) != free.end();
    pairs.push_back(
        {input(slot, i), inputs[i].data, may ? 0 : inputs[i].spec.Bytes()});
  }
  KB_ASSIGN(const auto different, kernels_->CountDifferent(pairs));
  const auto differs = [](uint64_t bytes) { return bytes != 0; };
  Trespass found;
  const auto inputs_begin = different.begin() + std::ssize(zones_);
  const auto input = std::find_if(inputs_begin, different.end(), differs);
  if (input != different.end())
    found.input = static_cast<int>(input - inputs_begin);
  const auto zone = std::find_if(different.begin(), inputs_begin, differs);
  if (zone == inputs_begin) return found;
  KB_ASSIGN(found.beside,
            Locate(slot, static_cast<size_t>(zone - different.begin())));
  return found;
}

}  // namespace kb::oracle
