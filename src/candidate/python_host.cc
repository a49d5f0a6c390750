#include "candidate/python_host.h"

#include <memory>
#include <string>

#include "base/check.h"
#include "base/json.h"
#include "candidate/serve.h"
#include "dlpack.h"

namespace kb::candidate {
namespace {

using wire::CallStatus;

class PythonBody : public Body {
 public:
  using LoadCallback = int (*)(const char*);

  PythonBody(device::Device* device, const kb_candidate_host* host,
             LoadCallback load)
      : device_(device), host_(host), load_(load) {}

  CallResult Load(const Memory& memory) override;

  CallResult LoadNow(const Memory& memory) {
    memory_ = &memory;
    inputs_ = record::TensorsOf(memory.setup().facts.inputs);
    auto timer = device_->NewTimer();
    if (!timer) return {CallStatus::kFailed, timer.error().message(), 0, 0};
    timer_ = std::move(*timer);
    auto copy_timer = device_->NewTimer();
    if (!copy_timer)
      return {CallStatus::kFailed, copy_timer.error().message(), 0, 0};
    copy_timer_ = std::move(*copy_timer);
    result_ = {};
    const std::string setup = base::DumpJson(wire::ToJson(memory.setup()));
    load_(setup.c_str());
    if (result_.status != CallStatus::kOk) return result_;
    const auto idle = device_->Synchronize();
    if (!idle) Fail(CallStatus::kFailed, idle.error().message());
    return result_;
  }

  void Prepare(uint32_t input_slot, uint32_t output_slot) override {
    result_ = {};
    input_slot_ = input_slot;
    output_slot_ = output_slot;
    host_->prepare();
  }

  CallResult Call() override {
    if (result_.status == CallStatus::kOk) host_->call();
    const auto idle = device_->Synchronize();
    if (result_.status != CallStatus::kOk) return result_;
    if (!idle) {
      Fail(CallStatus::kFailed, idle.error().message());
      return result_;
    }
    const auto elapsed = timer_->ElapsedMicros();
    const auto copied = copy_timer_->ElapsedMicros();
    if (!elapsed || !copied) {
      Fail(CallStatus::kFailed, (elapsed ? copied : elapsed).error().message());
      return result_;
    }
    result_.claimed_us = *elapsed;
    result_.copy_us = *copied;
    return result_;
  }

  void Fail(CallStatus status, std::string text) {
    result_ = {status, std::move(text), 0, 0};
  }

  DLManagedTensor* State(int64_t i) const {
    const auto index = static_cast<size_t>(i);
    return NewManagedTensor(memory_->setup().facts.state.at(index).spec,
                            memory_->state(index), DeviceOfTensors());
  }

  DLManagedTensor* Input(int64_t i) const {
    const auto index = static_cast<size_t>(i);
    return NewManagedTensor(inputs_.at(index),
                            memory_->input(input_slot_, index),
                            DeviceOfTensors());
  }

  int64_t InputCount() const { return static_cast<int64_t>(inputs_.size()); }

  int Mark(int stop, void* stream) {
    const auto marked =
        stop != 0 ? timer_->Stop(stream) : timer_->Start(stream);
    if (marked) return 0;
    Fail(CallStatus::kFailed, marked.error().message());
    return 1;
  }

  int OutputCount(int64_t count) {
    const auto expected =
        static_cast<int64_t>(memory_->setup().facts.outputs.size());
    if (count == expected) return 0;
    Fail(CallStatus::kStructure,
         fmt::format("forward returned {} tensors, the reference returns {}",
                     count, expected));
    return 1;
  }

  int Output(int64_t i, const DLTensor& tensor, void* stream) {
    const auto index = static_cast<size_t>(i);
    const record::TensorSpec& expected =
        memory_->setup().facts.outputs.at(index);
    const std::vector<int64_t> shape(tensor.shape, tensor.shape + tensor.ndim);
    const auto dtype = record::FromDLPack(tensor.dtype.code, tensor.dtype.bits,
                                          tensor.dtype.lanes);
    if (dtype != expected.dtype || shape != expected.shape ||
        (tensor.device.device_type == 1) == device_->is_cuda() ||
        !IsContiguous(tensor)) {
      Fail(CallStatus::kStructure,
           fmt::format("output {} is {}, the reference's is {}", i,
                       Describe(tensor), expected.ToString()));
      return 1;
    }
    const std::byte* data =
        static_cast<const std::byte*>(tensor.data) + tensor.byte_offset;
    if (memory_->IsInput(data))
      result_.text = fmt::format(
          "output {} shares memory with an input (it was copied)", i);
    const auto copied = CopyTimed(index, data, expected.Bytes(), stream);
    if (copied) return 0;
    Fail(CallStatus::kFailed, copied.error().message());
    return 1;
  }

  int Spin(double micros, void* stream) {
    return device_->Spin(micros, stream) ? 0 : 1;
  }

 private:
  base::Result<void> CopyTimed(size_t index, const std::byte* data,
                               size_t bytes, void* stream) {
    const size_t outputs = memory_->setup().facts.outputs.size();
    if (index == 0) KB_TRY(copy_timer_->Start(stream));
    KB_TRY(device_->Copy(memory_->output(output_slot_, index), data, bytes,
                         stream));
    if (index + 1 == outputs) KB_TRY(copy_timer_->Stop(stream));
    return base::Ok();
  }

  DLDevice DeviceOfTensors() const {
    return {device_->is_cuda() ? 2 : 1, device_->index()};
  }

  device::Device* device_;
  const kb_candidate_host* host_;
  LoadCallback load_;
  const Memory* memory_ = nullptr;
  std::vector<record::TensorSpec> inputs_;
  std::unique_ptr<device::Timer> timer_;
  std::unique_ptr<device::Timer> copy_timer_;
  CallResult result_;
  uint32_t input_slot_ = 0;
  uint32_t output_slot_ = 0;
};

// The C interface has no room for an object; one process serves one candidate.
// The body that was loaded last.
PythonBody* g_body = nullptr;

CallResult PythonBody::Load(const Memory& memory) {
  g_body = this;
  return LoadNow(memory);
}

}  // namespace
}  // namespace kb::candidate

using kb::candidate::g_body;

int kb_candidate_main(int socket, const char* device,
                      const kb_candidate_host* host) {
  return kb::candidate::Serve(socket, device,
                              [host](kb::device::Device* opened) {
                                return kb::candidate::Bodies{
                                    std::make_unique<kb::candidate::PythonBody>(
                                        opened, host, host->load_calibration),
                                    std::make_unique<kb::candidate::PythonBody>(
                                        opened, host, host->load)};
                              });
}

DLManagedTensor* kb_candidate_state(int64_t i) { return g_body->State(i); }
DLManagedTensor* kb_candidate_input(int64_t i) { return g_body->Input(i); }
int64_t kb_candidate_input_count() { return g_body->InputCount(); }

int kb_candidate_mark(int stop, void* stream) {
  return g_body->Mark(stop, stream);
}

int kb_candidate_output_count(int64_t count) {
  return g_body->OutputCount(count);
}

int kb_candidate_output(int64_t i, const DLManagedTensor* tensor,
                        void* stream) {
  return g_body->Output(i, tensor->dl_tensor, stream);
}

int kb_candidate_spin(int long_call, void* stream) {
  return g_body->Spin(long_call != 0 ? kb::candidate::kLongCalibrationMicros
                                     : kb::candidate::kShortCalibrationMicros,
                      stream);
}

void kb_candidate_fail(int status, const char* text) {
  g_body->Fail(static_cast<kb::wire::CallStatus>(status), text);
}
