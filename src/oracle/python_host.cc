#include "oracle/python_host.h"

#include <array>
#include <memory>
#include <optional>
#include <utility>

#include "base/json.h"
#include "device/dlpack.h"
#include "oracle/serve.h"

namespace kb::oracle {
namespace {

using base::Json;
using base::Result;

Result<Reference::InputNature> InputNatureFrom(const Json& json) {
  Reference::InputNature nature;
  KB_ASSIGN(const auto kind, base::Get<std::string>(json, "kind"));
  nature.free = kind == "free";
  nature.ids = kind == "ids";
  KB_ASSIGN(nature.kept, base::Get<bool>(json, "kept"));
  KB_ASSIGN(nature.negative, base::Get<bool>(json, "negative"));
  KB_ASSIGN(nature.sparse, base::Get<bool>(json, "sparse"));
  KB_ASSIGN(nature.symmetric, base::Get<bool>(json, "symmetric"));
  KB_ASSIGN(nature.least, base::Get<int64_t>(json, "least"));
  KB_ASSIGN(nature.range, base::Get<int64_t>(json, "range"));
  return nature;
}

class PythonReference : public Reference {
 public:
  PythonReference(device::Device* device, const kb_oracle_host* host)
      : device_(device), host_(host) {}

  Result<record::ProblemFacts> Open(const OpenRequest& request) override {
    const std::string text = base::DumpJson(
        {{"id", request.id},
         {"source", request.source},
         {"reference", request.reference},
         {"precision", record::PrecisionName(request.precision)},
         {"precision_rule", record::PrecisionRuleName(request.precision_rule)},
         {"construction_seed", request.construction_seed},
         {"redraw_flat_parameters", request.redraw_flat_parameters},
         {"redraw_seed", request.redraw_seed},
         {"cpu_seeds", request.cpu_seeds},
         {"mixed_inputs", request.mixed_inputs}});
    KB_TRY(Done(host_->open(text.c_str())));
    KB_ASSIGN(const Json reply, base::ParseJson(reply_, "the problem's facts"));
    KB_ASSIGN(nature_.random, base::Get<bool>(reply, "random"));
    KB_ASSIGN(nature_.forward_bytes,
              base::Get<uint64_t>(reply, "forward_bytes"));
    KB_ASSIGN(nature_.tf32, base::Get<std::string>(reply, "tf32"));
    KB_ASSIGN(nature_.constant, base::Get<bool>(reply, "constant"));
    KB_ASSIGN(nature_.waits, base::Get<bool>(reply, "waits"));
    KB_ASSIGN(nature_.convolves, base::Get<bool>(reply, "convolves"));
    KB_ASSIGN(nature_.by_place, base::Get<bool>(reply, "by_place"));
    KB_ASSIGN(nature_.operators, base::Get<int64_t>(reply, "operators"));
    KB_ASSIGN(nature_.operator_us, base::Get<double>(reply, "operator_us"));
    KB_ASSIGN(nature_.changed_inputs,
              base::Get<std::vector<size_t>>(reply, "changed_inputs"));
    KB_ASSIGN(nature_.remarks,
              base::Get<std::vector<std::string>>(reply, "remarks"));
    KB_ASSIGN(const Json inputs, base::Get<Json>(reply, "inputs"));
    nature_.inputs.clear();
    for (const Json& input : inputs) {
      KB_ASSIGN(nature_.inputs.emplace_back(), InputNatureFrom(input));
    }
    KB_ASSIGN(const Json facts, base::Get<Json>(reply, "facts"));
    return record::ProblemFactsFromJson(facts);
  }

  Nature nature() const override { return nature_; }

  Result<std::vector<TensorView>> State() override {
    return Collect(TensorList::kState, [this] { return host_->state(); });
  }

  Result<std::vector<TensorView>> Draw(uint64_t seed) override {
    return Collect(TensorList::kInputs,
                   [this, seed] { return host_->draw(seed); });
  }

  Result<void> Keep(size_t slot,
                    const std::vector<TensorView>& places) override {
    places_ = &places;
    const Result<void> kept = Done(host_->keep(slot));
    places_ = nullptr;
    return kept;
  }

  Result<void> TakeKept(size_t slot) override {
    return Done(host_->take_kept(slot));
  }

  Result<Run> Forward(uint64_t generator_seed) override {
    if (!timer_) {
      KB_ASSIGN(timer_, device_->NewTimer());
    }
    KB_ASSIGN(auto outputs,
              Collect(TensorList::kOutputs, [this, generator_seed] {
                return host_->forward(generator_seed);
              }));
    KB_ASSIGN(const double micros, timer_->ElapsedMicros());
    return Run{std::move(outputs), micros};
  }

  Result<std::vector<TensorView>> ForwardPrecise() override {
    return Collect(TensorList::kPrecise,
                   [this] { return host_->forward_precise(); });
  }

  Result<std::vector<TensorView>> ForwardInTf32() override {
    return Collect(TensorList::kTf32, [this] { return host_->forward_tf32(); });
  }

  Result<std::vector<TensorView>> ForwardNudged(uint64_t seed) override {
    return Collect(TensorList::kNudged,
                   [this, seed] { return host_->forward_nudged(seed); });
  }

  Result<std::vector<TensorView>> ForwardInDouble() override {
    return Collect(TensorList::kExact,
                   [this] { return host_->forward_double(); });
  }

  Result<record::Ceilings> Rates() override {
    KB_TRY(Done(host_->rates()));
    KB_ASSIGN(Json reply, base::ParseJson(reply_, "the rates"));
    reply["bandwidth_gbps"] = 0.0;
    return record::CeilingsFromJson(reply);
  }

  Result<Inspection> Inspect() override {
    KB_TRY(Done(host_->inspect()));
    KB_ASSIGN(const Json reply, base::ParseJson(reply_, "the inspection"));
    using Names = std::vector<std::string>;
    Inspection inspection;
    KB_ASSIGN(inspection.mutants, base::Get<Names>(reply, "mutants"));
    KB_ASSIGN(inspection.flops, base::Get<double>(reply, "flops"));
    KB_ASSIGN(inspection.peak_bytes, base::Get<uint64_t>(reply, "peak_bytes"));
    KB_ASSIGN(inspection.unused_parameters,
              base::Get<Names>(reply, "unused_parameters"));
    KB_ASSIGN(inspection.ignored_inputs,
              base::Get<Names>(reply, "ignored_inputs"));
    return inspection;
  }

  Result<std::optional<std::vector<TensorView>>> Mutate(
      const std::string& name) override {
    constexpr int kDoesNotApply = 2;
    int code = 0;
    auto tensors = Collect(TensorList::kMutant, [&] {
      code = host_->mutate(name.c_str());
      return code == kDoesNotApply ? 0 : code;
    });
    if (!tensors) return tl::unexpected(tensors.error());
    if (code == kDoesNotApply) return std::optional<std::vector<TensorView>>();
    return std::optional(std::move(*tensors));
  }

  void SetReply(const char* text) { reply_ = text; }
  void SetError(const char* text) { error_ = text; }

  int Add(int list, const DLTensor& tensor) {
    if (list < 0 || list >= kTensorLists) {
      error_ = "the host hands over a list that we do not know";
      return 1;
    }
    const auto dtype = record::FromDLPack(tensor.dtype.code, tensor.dtype.bits,
                                          tensor.dtype.lanes);
    if (!dtype) {
      error_ = "the reference uses a dtype that is not supported";
      return 1;
    }
    TensorView view;
    view.spec.dtype = *dtype;
    view.spec.shape.assign(tensor.shape, tensor.shape + tensor.ndim);
    view.data = static_cast<std::byte*>(tensor.data) + tensor.byte_offset;
    lists_.at(static_cast<size_t>(list)).push_back(std::move(view));
    return 0;
  }

  DLManagedTensor* Place(int i) const {
    const TensorView& place = places_->at(static_cast<size_t>(i));
    return device::NewManagedTensor(place.spec, place.data,
                                    device::DLDeviceOf(*device_));
  }

  int Mark(int stop, void* stream) {
    const auto marked =
        stop != 0 ? timer_->Stop(stream) : timer_->Start(stream);
    if (marked) return 0;
    error_ = marked.error().message();
    return 1;
  }

 private:
  template <typename F>
  Result<std::vector<TensorView>> Collect(TensorList list, F&& callback) {
    auto& views = lists_.at(static_cast<size_t>(list));
    views.clear();
    KB_TRY(Done(callback()));
    KB_TRY(device_->Synchronize());
    return std::move(views);
  }

  Result<void> Done(int code) const {
    if (code == 0) return base::Ok();
    return base::Fail("{}", error_);
  }

  device::Device* device_;
  const kb_oracle_host* host_;
  std::unique_ptr<device::Timer> timer_;
  Nature nature_;
  const std::vector<TensorView>* places_ = nullptr;  // while Keep runs
  std::string reply_;
  std::string error_;
  std::array<std::vector<TensorView>, kTensorLists> lists_;
};

// The C interface has no room for an object; one process hosts one lane.
PythonReference* g_reference = nullptr;

}  // namespace
}  // namespace kb::oracle

using kb::oracle::g_reference;

int kb_oracle_main(int socket, const char* device, const char* torch_version,
                   const kb_oracle_host* host) {
  return kb::oracle::Serve(
      socket, device, torch_version, [host](kb::device::Device* opened) {
        auto reference =
            std::make_unique<kb::oracle::PythonReference>(opened, host);
        g_reference = reference.get();
        return reference;
      });
}

void kb_oracle_reply(const char* text) { g_reference->SetReply(text); }
void kb_oracle_fail(const char* text) { g_reference->SetError(text); }

int kb_oracle_tensor(int list, const DLManagedTensor* tensor) {
  return g_reference->Add(list, tensor->dl_tensor);
}

DLManagedTensor* kb_oracle_place(int i) { return g_reference->Place(i); }

int kb_oracle_mark(int stop, void* stream) {
  return g_reference->Mark(stop, stream);
}
