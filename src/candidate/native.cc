#include <dlfcn.h>

#include <algorithm>
#include <deque>
#include <memory>

#include "base/check.h"
#include "candidate/serve.h"
#include "kernelbench/candidate.h"

namespace kb::candidate {
namespace {

using record::Value;
using wire::CallStatus;

struct CloseLibrary {
  void operator()(void* handle) const { dlclose(handle); }
};

// The C view of tensors and values. Addresses stay valid: deques only grow.
class Arguments {
 public:
  explicit Arguments(DLDevice device) : device_(device) {}

  const DLTensor* AddTensor(const record::TensorSpec& spec, std::byte* data) {
    shapes_.push_back(spec.shape);
    const record::DLPackType type = record::ToDLPack(spec.dtype);
    tensors_.push_back({data,
                        device_,
                        static_cast<int32_t>(spec.shape.size()),
                        {type.code, type.bits, 1},
                        shapes_.back().data(),
                        nullptr,
                        0});
    return &tensors_.back();
  }

  // `next_tensor` gives the address of the values' next tensor.
  template <typename F>
  kb_value Convert(const Value& value, F& next_tensor) {
    kb_value out{};
    if (const auto* flag = std::get_if<bool>(&value.data)) {
      out.kind = KB_BOOL;
      out.u.i = *flag ? 1 : 0;
    } else if (const auto* integer = std::get_if<int64_t>(&value.data)) {
      out.kind = KB_INT;
      out.u.i = *integer;
    } else if (const auto* real = std::get_if<double>(&value.data)) {
      out.kind = KB_FLOAT;
      out.u.f = *real;
    } else if (const auto* text = std::get_if<std::string>(&value.data)) {
      texts_.push_back(*text);
      out.kind = KB_STRING;
      out.u.s = texts_.back().c_str();
    } else if (const auto* tensor = std::get_if<Value::Tensor>(&value.data)) {
      out.kind = KB_TENSOR;
      out.u.t = AddTensor(tensor->spec, next_tensor());
    } else if (const auto* list = std::get_if<Value::List>(&value.data)) {
      const std::vector<kb_value>& items = ConvertAll(list->items, next_tensor);
      SetList(items, &out);
    } else if (const auto* dict = std::get_if<Value::Dict>(&value.data)) {
      std::vector<Value> pairs;
      for (size_t i = 0; i < dict->keys.size(); ++i) {
        Value::List pair{.items = std::vector<Value>(2), .tuple = true};
        pair.items[0].data = dict->keys[i];
        pair.items[1] = dict->values.at(i);
        pairs.emplace_back().data = std::move(pair);
      }
      SetList(ConvertAll(pairs, next_tensor), &out);
    }
    return out;
  }

  template <typename F>
  const std::vector<kb_value>& ConvertAll(const std::vector<Value>& values,
                                          F& next_tensor) {
    std::vector<kb_value> converted;
    for (const Value& value : values)
      converted.push_back(Convert(value, next_tensor));
    lists_.push_back(std::move(converted));
    return lists_.back();
  }

 private:
  static void SetList(const std::vector<kb_value>& items, kb_value* out) {
    out->kind = KB_LIST;
    out->u.list.items = items.data();
    out->u.list.count = static_cast<int64_t>(items.size());
  }

  DLDevice device_;
  std::deque<std::vector<int64_t>> shapes_;
  std::deque<DLTensor> tensors_;
  std::deque<std::string> texts_;
  std::deque<std::vector<kb_value>> lists_;
};

// A candidate may call the driver without linking it: there is no library of it
// to link with on a machine without a GPU.
void ShowDriver(const device::Device& device) {
  if (device.is_cuda()) dlopen("libcuda.so.1", RTLD_NOW | RTLD_GLOBAL);
}

class NativeBody : public Body {
 public:
  NativeBody(device::Device* device, std::string path)
      : device_(device),
        path_(std::move(path)),
        dl_device_{device->is_cuda() ? 2 : 1, device->index()},
        arguments_(dl_device_) {}
  NativeBody(const NativeBody&) = delete;
  NativeBody& operator=(const NativeBody&) = delete;
  ~NativeBody() override {
    if (teardown_ != nullptr) teardown_(state_);
  }

  CallResult Load(const Memory& memory) override {
    memory_ = &memory;
    BuildArguments(memory);
    ShowDriver(*device_);
    library_.reset(dlopen(path_.c_str(), RTLD_NOW | RTLD_LOCAL));
    if (library_ == nullptr) return Failed(dlerror());
    forward_ = Symbol<decltype(kb_forward)>("kb_forward");
    if (forward_ == nullptr)
      return Failed(
          "kb_forward is not exported; define extern \"C\" int "
          "kb_forward(const kb_call*) as kernelbench/candidate.h declares it");
    auto* setup = Symbol<decltype(kb_setup)>("kb_setup");
    if (setup != nullptr) {
      const int code = setup(&model_, &state_);
      if (code != 0) return Failed(fmt::format("kb_setup returned {}", code));
    }
    teardown_ = Symbol<decltype(kb_teardown)>("kb_teardown");
    const auto idle = device_->Synchronize();
    return idle ? CallResult{} : Failed(idle.error().message());
  }

  CallResult Prepare(const wire::Chain& chain) override {
    // It works in the legacy stream, which cannot be captured.
    if (chain.captured != 0)
      return Failed("native candidates are not captured");
    calls_.clear();
    copy_ = chain.copy != 0;
    first_ = chain.first;
    for (size_t slot = chain.first; slot < chain.first + chain.calls; ++slot) {
      const auto& inputs = *inputs_.at(slot);
      const auto& outputs = outputs_.at(slot);
      calls_.push_back({KB_CANDIDATE_ABI, &model_, state_, inputs.data(),
                        static_cast<int64_t>(inputs.size()), outputs.data(),
                        static_cast<int64_t>(outputs.size()), nullptr});
    }
    return {};
  }

  void* stream() const override { return nullptr; }

  CallResult Enqueue(std::span<uint64_t> places) override {
    std::fill(places.begin(), places.end(), wire::kInSlot);
    for (size_t call = 0; call < calls_.size(); ++call) {
      const int code = forward_(&calls_[call]);
      if (code != 0) return Failed(fmt::format("kb_forward returned {}", code));
      if (!copy_) continue;
      const auto copied = Copy(first_ + call);
      if (!copied) return Failed(copied.error().message());
    }
    return {};
  }

 private:
  // As much as a Python candidate's outputs take on their way to the slots.
  base::Result<void> Copy(size_t slot) {
    const wire::Setup& setup = memory_->setup();
    if (!copies_) {
      KB_ASSIGN(copies_, device_->Allocate(setup.output_bytes));
    }
    for (size_t i = 0; i < setup.outputs.size(); ++i)
      KB_TRY(device_->Copy(copies_->data() + setup.outputs[i].offset,
                           memory_->output(slot, i),
                           setup.facts.outputs[i].Bytes(), nullptr));
    return base::Ok();
  }

  static CallResult Failed(std::string text) {
    return {CallStatus::kFailed, std::move(text)};
  }

  template <typename Function>
  Function* Symbol(const char* name) {
    return reinterpret_cast<Function*>(dlsym(library_.get(), name));
  }

  void BuildArguments(const Memory& memory) {
    const record::ProblemFacts& facts = memory.setup().facts;
    auto no_tensor = []() -> std::byte* { return nullptr; };
    const auto& init = arguments_.ConvertAll(facts.init_args, no_tensor);
    for (size_t i = 0; i < facts.state.size(); ++i)
      state_tensors_.push_back(
          {names_.emplace_back(facts.state[i].name).c_str(),
           arguments_.AddTensor(facts.state[i].spec, memory.state(i))});
    for (size_t slot = 0; slot < memory.setup().slots; ++slot) {
      size_t next = 0;
      auto next_input = [&] { return memory.input(slot, next++); };
      inputs_.push_back(&arguments_.ConvertAll(facts.inputs, next_input));
    }
    for (size_t slot = 0; slot < memory.setup().slots; ++slot) {
      std::vector<DLTensor> tensors;
      for (size_t i = 0; i < facts.outputs.size(); ++i)
        tensors.push_back(
            *arguments_.AddTensor(facts.outputs[i], memory.output(slot, i)));
      outputs_.push_back(std::move(tensors));
    }
    model_ = {KB_CANDIDATE_ABI,
              dl_device_,
              init.data(),
              static_cast<int64_t>(init.size()),
              state_tensors_.data(),
              static_cast<int64_t>(state_tensors_.size()),
              nullptr};
  }

  device::Device* device_;
  std::string path_;
  DLDevice dl_device_;
  Arguments arguments_;
  std::deque<std::string> names_;
  std::vector<kb_named_tensor> state_tensors_;
  std::vector<const std::vector<kb_value>*> inputs_;  // by slot
  std::vector<std::vector<DLTensor>> outputs_;        // by slot
  kb_model model_{};
  std::vector<kb_call> calls_;  // of the chain, by slot
  bool copy_ = false;
  size_t first_ = 0;                              // slot of the chain
  std::unique_ptr<device::SharedMemory> copies_;  // made by the first Copy
  const Memory* memory_ = nullptr;
  void* state_ = nullptr;
  std::unique_ptr<void, CloseLibrary> library_;
  decltype(kb_forward)* forward_ = nullptr;
  decltype(kb_teardown)* teardown_ = nullptr;
};

}  // namespace

std::unique_ptr<Body> NewNativeBody(device::Device* device,
                                    std::string library_path) {
  return std::make_unique<NativeBody>(device, std::move(library_path));
}

}  // namespace kb::candidate
