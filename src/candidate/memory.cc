#include <sys/mman.h>
#include <sys/stat.h>

#include "base/check.h"
#include "candidate/serve.h"

namespace kb::candidate {
namespace {

using base::Result;

Result<void> CheckPlaces(const std::vector<wire::Place>& places,
                         const std::vector<record::TensorSpec>& specs,
                         uint64_t arena_bytes) {
  if (places.size() != specs.size())
    return base::Fail("set-up: {} places for {} tensors", places.size(),
                      specs.size());
  for (size_t i = 0; i < places.size(); ++i)
    if (places[i].offset > arena_bytes ||
        specs[i].Bytes() > arena_bytes - places[i].offset)
      return base::Fail("set-up: tensor {} does not fit its arena", i);
  return base::Ok();
}

Result<void> CheckSetup(const wire::Setup& setup) {
  std::vector<record::TensorSpec> state;
  for (const record::NamedTensor& tensor : setup.facts.state)
    state.push_back(tensor.spec);
  KB_TRY(CheckPlaces(setup.state, state, setup.weights_bytes));
  KB_TRY(CheckPlaces(setup.inputs, record::TensorsOf(setup.facts.inputs),
                     setup.input_bytes));
  return CheckPlaces(setup.outputs, setup.facts.outputs, setup.output_bytes);
}

}  // namespace

void Memory::Unmap::operator()(wire::Mailbox* mailbox) const {
  munmap(mailbox, wire::kMailboxBytes);
}

Result<Memory> Memory::Map(device::Device* device, wire::Setup setup,
                           std::vector<os::Fd> fds) {
  KB_TRY(CheckSetup(setup));
  const size_t pools = setup.pool_bytes > 0 ? 1 : 0;
  if (fds.size() != size_t{4} + pools)
    return base::Fail("set-up: {} descriptors", fds.size());
  Memory memory;
  void* page = mmap(nullptr, wire::kMailboxBytes, PROT_READ | PROT_WRITE,
                    MAP_SHARED, fds[0].get(), 0);
  if (page == MAP_FAILED) return os::FailErrno("mapping the mailbox");
  memory.mailbox_.reset(static_cast<wire::Mailbox*>(page));
  KB_ASSIGN(memory.weights_,
            device->Import(std::move(fds[1]), setup.weights_bytes));
  KB_ASSIGN(memory.inputs_,
            device->Import(std::move(fds[2]), setup.slots * setup.input_bytes));
  KB_ASSIGN(memory.outputs_, device->Import(std::move(fds[3]),
                                            setup.slots * setup.output_bytes));
  if (pools > 0) {
    KB_ASSIGN(memory.pool_,
              device->Import(std::move(fds.back()), setup.pool_bytes));
  }
  memory.setup_ = std::move(setup);
  return memory;
}

std::byte* Memory::state(size_t i) const {
  return weights_->data() + setup_.state.at(i).offset;
}

std::byte* Memory::input(size_t slot, size_t i) const {
  return inputs_->data() + slot * setup_.input_bytes +
         setup_.inputs.at(i).offset;
}

std::byte* Memory::output(size_t slot, size_t i) const {
  return outputs_->data() + slot * setup_.output_bytes +
         setup_.outputs.at(i).offset;
}

std::span<std::byte> Memory::pool() const {
  if (!pool_) return {};
  return {pool_->data(), pool_->size()};
}

bool Memory::IsInput(const std::byte* address) const {
  return address >= inputs_->data() &&
         address < inputs_->data() + inputs_->size();
}

}  // namespace kb::candidate
