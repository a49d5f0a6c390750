#include "candidate/python_host.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/check.h"
#include "base/json.h"
#include "candidate/serve.h"
#include "device/dlpack.h"
#include "output_place.h"
#include "pool.h"
#include "tensor_memory.h"

namespace kb::candidate {
namespace {

using wire::CallStatus;

class PythonBody : public Body {
 public:
  PythonBody(device::Device* device, const kb_candidate_host* host)
      : device_(device), host_(host) {}
  PythonBody(const PythonBody&) = delete;
  PythonBody& operator=(const PythonBody&) = delete;
  ~PythonBody() override;

  CallResult Load(const Memory& memory) override;

  CallResult LoadCandidate(const Memory& memory) {
    memory_ = &memory;
    pool_ = std::make_unique<Pool>(device_, memory.pool());
    if (!device_->is_cuda() && has_pool()) MakeOutputsInPool();
    inputs_ = record::TensorsOf(memory.setup().facts.inputs);
    result_ = {};
    const std::string setup = base::DumpJson(wire::ToJson(memory.setup()));
    host_->load(setup.c_str());
    if (result_.status != CallStatus::kOk) return result_;
    const auto idle = device_->Synchronize();
    if (!idle) Tell(CallStatus::kFailed, idle.error().message());
    return result_;
  }

  CallResult Prepare(const wire::Chain& chain) override {
    result_ = {};
    chain_ = chain;
    taken_ = 0;
    places_.assign(chain.calls * OutputCount(), wire::kInSlot);
    const bool moves = chain.move != 0 && device_->is_cuda();
    // Nobody has asked for it since the last move.
    if (moves) pool_->DropSpare();
    host_->prepare(chain.calls, chain.copy != 0 ? 1 : 0,
                   chain.move != 0 ? 1 : 0, chain.captured != 0 ? 1 : 0);
    // Not before the last chain's tensors are given back.
    if (moves) pool_->Move();
    return result_;
  }

  void* stream() const override { return stream_; }

  CallResult Enqueue(std::span<uint64_t> places) override {
    if (tensors_ != nullptr) tensors_->Serve(true);
    host_->call();
    if (tensors_ != nullptr) tensors_->Serve(false);
    if (result_.status == CallStatus::kOk && taken_ < chain_.calls)
      Tell(CallStatus::kFailed, "forward returned nothing");
    std::copy_n(places_.begin(), std::min(places.size(), places_.size()),
                places.begin());
    return result_;
  }

  void Tell(CallStatus status, std::string text) {
    result_ = {status, std::move(text)};
  }

  DLManagedTensor* State(int64_t i) const {
    const auto index = static_cast<size_t>(i);
    return device::NewManagedTensor(memory_->setup().facts.state.at(index).spec,
                                    memory_->state(index),
                                    device::DLDeviceOf(*device_));
  }

  DLManagedTensor* Input(int64_t call, int64_t i) const {
    const auto index = static_cast<size_t>(i);
    return device::NewManagedTensor(
        inputs_.at(index),
        memory_->input(SlotOf(static_cast<size_t>(call)), index),
        device::DLDeviceOf(*device_));
  }

  int64_t InputCount() const { return static_cast<int64_t>(inputs_.size()); }

  uint64_t Seed(int64_t call) const {
    return chain_.generator_seeds.at(static_cast<size_t>(call));
  }

  void SetStream(void* stream) { stream_ = stream; }

  Pool* pool() { return pool_.get(); }
  bool has_pool() const { return !memory_->pool().empty(); }

  // The graph is there when this returns.
  bool UploadGraph(void* graph, void* stream) {
    return device_->UploadGraph(graph, stream) && device_->Synchronize();
  }

  int TakeOutputs(size_t first, size_t calls,
                  const DLManagedTensor* const* tensors, size_t count) {
    KB_CHECK(first + calls <= chain_.calls);
    taken_ += calls;
    if (!HasCount(count)) return 1;
    if (chain_.unread != 0) return 0;
    const bool at_once = calls == chain_.calls;
    for (size_t i = 0; i < calls * count; ++i)
      if (!HasStructure(i % count, tensors[i]->dl_tensor)) return 1;
    if (at_once && calls > 1 && HaveCommonMemory(tensors, calls, count))
      return 2;
    for (size_t i = 0; i < calls * count; ++i)
      if (!TakeOutput(first + i / count, i % count, tensors[i]->dl_tensor,
                      at_once))
        return 1;
    return 0;
  }

 private:
  // The pages of a chain's are there before it is timed.
  void MakeOutputsInPool() {
    std::vector<size_t> sizes;
    for (size_t i = 0; i < OutputCount(); ++i) sizes.push_back(BytesOf(i));
    const std::span<std::byte> pool = memory_->pool();
    const wire::Setup& setup = memory_->setup();
    const size_t used = (setup.slots + 1) * setup.output_bytes;
    std::ranges::fill(pool.first(std::min(pool.size(), used)), std::byte{0});
    tensors_ = TensorMemory::Install(
        std::make_unique<TensorMemory>(pool, std::move(sizes)));
  }

  bool HasCount(size_t count) {
    const size_t expected = OutputCount();
    if (count == expected) return true;
    Tell(CallStatus::kStructure,
         fmt::format("forward returned {} tensors, the reference returns {}",
                     count, expected));
    return false;
  }

  static std::byte* DataOf(const DLTensor& tensor) {
    return static_cast<std::byte*>(tensor.data) + tensor.byte_offset;
  }

  size_t OutputCount() const { return memory_->setup().facts.outputs.size(); }

  size_t BytesOf(size_t output) const {
    return memory_->setup().facts.outputs[output].Bytes();
  }

  bool HaveCommonMemory(const DLManagedTensor* const* tensors, size_t calls,
                        size_t count) const {
    std::vector<OutputPlace> outputs;
    for (size_t i = 0; i < calls * count; ++i)
      outputs.push_back(
          {DataOf(tensors[i]->dl_tensor), BytesOf(i % count), i / count});
    return CallsShareMemory(std::move(outputs));
  }

  // False: it cannot be copied.
  bool TakeOutput(size_t call, size_t i, const DLTensor& tensor, bool at_once) {
    std::byte* const data = DataOf(tensor);
    const size_t bytes = BytesOf(i);
    const std::span<std::byte> pool = memory_->pool();
    const bool inside = data >= pool.data() &&
                        data + bytes <= pool.data() + pool.size() &&
                        !pool.empty();
    const size_t index = call * OutputCount() + i;
    const bool in_place =
        inside && at_once && chain_.copy == 0 && index < wire::kMaxPlaces;
    places_.at(index) =
        in_place ? static_cast<uint64_t>(data - pool.data()) : wire::kInSlot;
    if (in_place) return true;
    if (memory_->IsInput(data))
      result_.text = fmt::format(
          "output {} shares memory with an input (it was copied)", i);
    const auto copied =
        device_->Copy(memory_->output(SlotOf(call), i), data, bytes, stream_);
    if (!copied) Tell(CallStatus::kFailed, copied.error().message());
    return copied.has_value();
  }

  bool HasStructure(size_t i, const DLTensor& tensor) {
    const record::TensorSpec& expected = memory_->setup().facts.outputs[i];
    const std::vector<int64_t> shape(tensor.shape, tensor.shape + tensor.ndim);
    const auto dtype = record::FromDLPack(tensor.dtype.code, tensor.dtype.bits,
                                          tensor.dtype.lanes);
    if (dtype == expected.dtype && shape == expected.shape &&
        (tensor.device.device_type == 1) != device_->is_cuda() &&
        device::IsContiguous(tensor))
      return true;
    Tell(CallStatus::kStructure,
         fmt::format("output {} is {}, the reference's is {}", i,
                     device::Describe(tensor), expected.ToString()));
    return false;
  }

  size_t SlotOf(size_t call) const { return chain_.first + call; }

  device::Device* device_;
  const kb_candidate_host* host_;
  const Memory* memory_ = nullptr;
  std::unique_ptr<Pool> pool_;       // of a GPU
  TensorMemory* tensors_ = nullptr;  // on cpu
  std::vector<record::TensorSpec> inputs_;
  CallResult result_;
  void* stream_ = nullptr;
  wire::Chain chain_;
  std::vector<uint64_t> places_;  // of the chain's outputs
  size_t taken_ = 0;              // calls whose outputs were handed over
};

// The C interface has no room for an object; one process serves one candidate.
PythonBody* g_body = nullptr;

// Python may give memory back when it ends, after us.
PythonBody::~PythonBody() { g_body = nullptr; }

CallResult PythonBody::Load(const Memory& memory) {
  g_body = this;
  return LoadCandidate(memory);
}

}  // namespace
}  // namespace kb::candidate

using kb::candidate::g_body;

int kb_candidate_main(int socket, const char* device,
                      const kb_candidate_host* host) {
  return kb::candidate::Serve(
      socket, device, [host](kb::device::Device* opened) {
        return std::make_unique<kb::candidate::PythonBody>(opened, host);
      });
}

DLManagedTensor* kb_candidate_state(int64_t i) { return g_body->State(i); }
DLManagedTensor* kb_candidate_input(int64_t call, int64_t i) {
  return g_body->Input(call, i);
}
int64_t kb_candidate_input_count() { return g_body->InputCount(); }
uint64_t kb_candidate_seed(int64_t call) { return g_body->Seed(call); }

void kb_candidate_stream(void* stream) { g_body->SetStream(stream); }

int kb_candidate_outputs(int64_t first, int64_t calls,
                         const DLManagedTensor* const* tensors, int64_t count) {
  return g_body->TakeOutputs(static_cast<size_t>(first),
                             static_cast<size_t>(calls), tensors,
                             static_cast<size_t>(count));
}

int kb_candidate_has_pool() { return g_body->has_pool() ? 1 : 0; }

void* kb_candidate_malloc(size_t bytes, int /*device*/, void* /*stream*/) {
  return g_body->pool()->Allocate(bytes);
}

void kb_candidate_free(void* memory, size_t /*bytes*/, int /*device*/,
                       void* /*stream*/) {
  if (g_body != nullptr) g_body->pool()->Free(static_cast<std::byte*>(memory));
}

int kb_candidate_upload_graph(void* graph, void* stream) {
  return g_body->UploadGraph(graph, stream) ? 0 : 1;
}

void kb_candidate_fail(int status, const char* text) {
  g_body->Tell(static_cast<kb::wire::CallStatus>(status), text);
}

void kb_candidate_remark(const char* text) {
  g_body->Tell(kb::wire::CallStatus::kOk, text);
}
