#include "cupti.h"

#include <dlfcn.h>
#include <execinfo.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/mutex.h"
#include "cubin.h"
#include "cupti_api.h"
#include "launches.h"
#include "objects.h"
#include "tally.h"

namespace kb::provenance {
namespace {

using base::Result;
using Owner = Launches::Owner;

constexpr std::array kSonames = {"libcupti.so.13", "libcupti.so.12"};

// The one that PyTorch has loaded sees what another one would not.
Result<void*> OpenLibrary() {
  for (const char* name : kSonames)
    if (void* loaded = dlopen(name, RTLD_NOW | RTLD_NOLOAD)) return loaded;
  std::vector<const char*> names(kSonames.begin(), kSonames.end());
  if (const char* named = std::getenv("KB_CUPTI"))
    names.insert(names.begin(), named);
  std::string why;
  for (const char* name : names) {
    if (void* opened = dlopen(name, RTLD_NOW)) return opened;
    why += std::string("; ") + dlerror();
  }
  return base::Fail(
      "no CUPTI, which shows what runs on a GPU. It comes with a CUDA build of "
      "torch (package nvidia-cuda-cupti) and with CUDA's toolkit{}",
      why);
}

// What a function of the driver or the runtime asks the device for.
enum class Asks { kNothing, kKernel, kGraph, kCopy };

Asks WhatItAsks(std::string_view function) {
  struct Name {
    std::string_view begins;
    Asks asks;
  };
  constexpr std::array kRows{Name{"cuLaunchHost", Asks::kNothing},
                             Name{"cudaLaunchHost", Asks::kNothing},
                             Name{"cuLaunch", Asks::kKernel},
                             Name{"cudaLaunch", Asks::kKernel},
                             Name{"__cudaLaunch", Asks::kKernel},
                             Name{"cuGraphLaunch", Asks::kGraph},
                             Name{"cudaGraphLaunch", Asks::kGraph},
                             Name{"cuMemcpy", Asks::kCopy},
                             Name{"cudaMemcpy", Asks::kCopy},
                             Name{"cuMemset", Asks::kCopy},
                             Name{"cudaMemset", Asks::kCopy}};
  for (const auto& [begins, asks] : kRows)
    if (function.starts_with(begins)) return asks;
  return Asks::kNothing;
}

// The host's function that a launch of the runtime names its kernel by; it lies
// in the object that the kernel was compiled into. 0: the call has none.
uintptr_t StubOf(const cupti::CallbackData& call) {
  const std::string_view function = call.function;
  const auto* const words = static_cast<const uintptr_t*>(call.parameters);
  if (words == nullptr) return 0;
  if (function.starts_with("cudaLaunchKernelExC")) return words[1];
  return function.starts_with("cudaLaunchKernel") ||
                 function == "cudaLaunchCooperativeKernel"
             ? words[0]
             : 0;
}

record::Activity::Launch LaunchOf(const cupti::KernelRecord& kernel) {
  record::Activity::Launch launch;
  for (size_t i = 0; i < launch.grid.size(); ++i) {
    launch.grid.at(i) = kernel.extent[i];
    launch.block.at(i) = kernel.block[i];
  }
  launch.registers = kernel.registers;
  launch.static_shared_bytes = kernel.static_shared_bytes;
  launch.dynamic_shared_bytes = kernel.dynamic_shared_bytes;
  launch.local_bytes = kernel.local_bytes;
  return launch;
}

const char* CopyName(uint8_t how) {
  switch (how) {
    case cupti::kToDevice:
      return "copy from host to device";
    case cupti::kToHost:
      return "copy from device to host";
    case cupti::kOnDevice:
      return "copy on the device";
    case cupti::kBetweenDevices:
      return "copy between devices";
    default:
      return "copy";
  }
}

// Who called the runtime that now calls the driver, on this thread.
thread_local std::optional<Launches::Call> t_outer;

class Cupti;
Cupti* g_cupti = nullptr;  // for callbacks without an argument of ours

class Cupti : public Observer {
 public:
  explicit Cupti(void* library) : library_(library) { g_cupti = this; }
  Cupti(const Cupti&) = delete;
  Cupti& operator=(const Cupti&) = delete;
  ~Cupti() override {
    (void)Run<int(void*)>("cuptiUnsubscribe", subscriber_);
    g_cupti = nullptr;
  }

  Result<void> Subscribe() {
    cupti::Callback callback = [](void*, uint32_t domain, uint32_t id,
                                  const void* data) {
      g_cupti->OnCallback(domain, id, data);
    };
    KB_TRY(Run<int(void**, cupti::Callback, void*)>(
        "cuptiSubscribe", &subscriber_, callback, nullptr));
    for (const uint32_t domain : {cupti::kDriverApi, cupti::kRuntimeApi})
      KB_TRY(Run<int(uint32_t, void*, uint32_t)>("cuptiEnableDomain", 1U,
                                                 subscriber_, domain));
    KB_TRY(Run<int(uint32_t, void*, uint32_t, uint32_t)>(
        "cuptiEnableCallback", 1U, subscriber_, uint32_t{cupti::kResource},
        cupti::kModuleLoaded));
    cupti::BufferRequested give = GiveBuffer;
    cupti::BufferCompleted take = TakeBuffer;
    KB_TRY(Run<int(cupti::BufferRequested, cupti::BufferCompleted)>(
        "cuptiActivityRegisterCallbacks", give, take));
    for (const uint32_t kind : {cupti::kKernel, cupti::kCopy, cupti::kFill})
      KB_TRY(Run<int(uint32_t)>("cuptiActivityEnable", kind));
    return base::Ok();
  }

  void Begin() override {
    const base::MutexLock lock(&mutex_);
    observing_ = true;
    ++chain_;
  }

  void End(int64_t calls) override {
    const base::MutexLock lock(&mutex_);
    observing_ = false;
    calls_ += calls;
  }

  Result<record::Provenance> Tell() override {
    constexpr uint32_t kForced = 1;
    KB_TRY(Run<int(uint32_t)>("cuptiActivityFlushAll", kForced));
    const base::MutexLock lock(&mutex_);
    Tally tally;
    for (const Launches::Work& work : done_) launches_.Count(work, &tally);
    return tally.Sum("cupti");
  }

  Result<record::Activity> TellActivity() override {
    const base::MutexLock lock(&mutex_);
    DeviceWork sum;
    for (const Launches::Work& work : done_) launches_.Count(work, &sum);
    return sum.Sum(calls_);
  }

 private:
  template <typename Signature, typename... Args>
  Result<void> Run(const char* name, Args... args) {
    auto* const function = reinterpret_cast<Signature*>(dlsym(library_, name));
    if (function == nullptr) return base::Fail("CUPTI has no {}", name);
    const int code = function(args...);
    if (code == 0) return base::Ok();
    const char* text = "";
    if (auto* const words = reinterpret_cast<int (*)(int, const char**)>(
            dlsym(library_, "cuptiGetResultString")))
      words(code, &text);
    return base::Fail("{}: error {} {}", name, code, text);
  }

  void OnCallback(uint32_t domain, uint32_t id, const void* data) {
    if (domain == cupti::kResource) {
      if (id != cupti::kModuleLoaded) return;
      const auto& resource = *static_cast<const cupti::ResourceData*>(data);
      OnModule(*static_cast<const cupti::Module*>(resource.descriptor));
      return;
    }
    const auto& call = *static_cast<const cupti::CallbackData*>(data);
    const Asks asks = WhatItAsks(call.function);
    if (asks == Asks::kNothing) return;
    constexpr uint32_t kEnter = 0;
    const bool runtime = domain == cupti::kRuntimeApi;
    if (call.site != kEnter) {
      if (runtime) t_outer.reset();
    } else {
      OnCall(call, asks, runtime);
    }
  }

  void OnModule(const cupti::Module& module) {
    if (module.cubin == nullptr) return;
    const auto owner = Caller();
    const base::MutexLock lock(&mutex_);
    for (const auto& [kernel, stack] : KernelsOf({module.cubin, module.size})) {
      if (owner) launches_.AddModule(kernel, *owner);
      int64_t& known = stacks_[kernel];
      known = std::max(known, stack);
    }
  }

  void OnCall(const cupti::CallbackData& data, Asks asks, bool runtime) {
    Launches::Call call = !runtime && t_outer ? *t_outer : Describe(data, asks);
    if (runtime) t_outer = call;
    const base::MutexLock lock(&mutex_);
    call.chain = chain_;
    if (asks == Asks::kKernel && call.owner && data.symbol != nullptr)
      launches_.AddLaunch(data.symbol, *call.owner);
    if (observing_) launches_.AddCall(data.correlation, call);
  }

  Launches::Call Describe(const cupti::CallbackData& data, Asks asks) {
    Launches::Call call;
    call.graph = asks == Asks::kGraph;
    if (asks == Asks::kKernel) call.owner = Holder(StubOf(data));
    call.knows_module = call.owner.has_value();
    if (!call.owner) call.owner = Caller();
    return call;
  }

  std::optional<Owner> Holder(uintptr_t stub) {
    const base::MutexLock lock(&mutex_);
    Refresh();
    const Objects::Object* const object = objects_.Of(stub);
    if (object == nullptr || !OriginOfLaunch(object->kind)) return std::nullopt;
    return Owner{object->kind, object->path};
  }

  // Who called CUDA: what comes behind its libraries on the stack.
  std::optional<Owner> Caller() {
    std::array<void*, 64> frames;
    const int depth = backtrace(frames.data(), frames.size());
    const base::MutexLock lock(&mutex_);
    Refresh();
    bool inside = false;
    for (int i = 0; i < depth; ++i) {
      const auto address = reinterpret_cast<uintptr_t>(frames.at(i));
      const Objects::Object* const object = objects_.Of(address);
      if (object == nullptr) continue;
      inside |= object->kind == CodeKind::kDriver;
      if (inside && OriginOfLaunch(object->kind))
        return Owner{object->kind, object->path};
    }
    return std::nullopt;
  }

  void Refresh() KB_REQUIRES(mutex_) {
    const uint64_t loaded = Objects::LoadedEver();
    if (loaded == loaded_) return;
    objects_ = Objects::Loaded();
    loaded_ = loaded;
  }

  static void GiveBuffer(uint8_t** buffer, size_t* size, size_t* most) {
    constexpr size_t kBytes = size_t{1} << 20;
    constexpr size_t kAlignment = 8;
    *buffer = static_cast<uint8_t*>(std::aligned_alloc(kAlignment, kBytes));
    *size = *buffer == nullptr ? 0 : kBytes;
    *most = 0;  // as many as fit
  }

  static void TakeBuffer(void* /*context*/, uint32_t /*stream*/,
                         uint8_t* buffer, size_t /*size*/, size_t valid) {
    if (g_cupti != nullptr) g_cupti->Take(buffer, valid);
    std::free(buffer);
  }

  void Take(uint8_t* buffer, size_t valid) {
    auto* const next = reinterpret_cast<int (*)(uint8_t*, size_t, void**)>(
        dlsym(library_, "cuptiActivityGetNextRecord"));
    const base::MutexLock lock(&mutex_);
    void* record = nullptr;
    while (next != nullptr && next(buffer, valid, &record) == 0) Keep(record);
  }

  void Keep(const void* record) KB_REQUIRES(mutex_) {
    const uint32_t kind = *static_cast<const uint32_t*>(record);
    if (kind == cupti::kKernel) {
      const auto& kernel = *static_cast<const cupti::KernelRecord*>(record);
      const char* const name = kernel.name == nullptr ? "?" : kernel.name;
      DeviceWork::Item item;
      item.begin = kernel.start;
      item.end = kernel.end;
      item.launch = LaunchOf(kernel);
      // The record says 0 of what a kernel keeps on its stack (13.0).
      if (const auto stack = stacks_.find(name); stack != stacks_.end())
        item.launch->local_bytes =
            std::max(item.launch->local_bytes, stack->second);
      AddDone(kernel.correlation, name, std::move(item));
    } else if (kind == cupti::kCopy || kind == cupti::kFill) {
      const auto& copy = *static_cast<const cupti::CopyRecord*>(record);
      DeviceWork::Item item;
      item.name = kind == cupti::kFill ? "fill" : CopyName(copy.how);
      item.begin = copy.start;
      item.end = copy.end;
      item.bytes = copy.bytes;
      AddDone(copy.correlation, "", std::move(item));
    }
  }

  void AddDone(uint32_t correlation, const char* kernel, DeviceWork::Item item)
      KB_REQUIRES(mutex_) {
    if (item.end <= item.begin) return;  // has not ended
    const auto nanos = static_cast<double>(item.end - item.begin);
    done_.push_back({correlation, kernel, nanos, std::move(item)});
  }

  void* subscriber_ = nullptr;
  void* library_;  // stays open: its threads work until the process ends
  base::Mutex mutex_;
  Objects objects_ KB_GUARDED_BY(mutex_);
  uint64_t loaded_ KB_GUARDED_BY(mutex_) = 0;
  Launches launches_ KB_GUARDED_BY(mutex_);
  std::map<std::string, int64_t> stacks_ KB_GUARDED_BY(mutex_);  // by kernel
  std::vector<Launches::Work> done_ KB_GUARDED_BY(mutex_);
  bool observing_ KB_GUARDED_BY(mutex_) = false;
  int64_t chain_ KB_GUARDED_BY(mutex_) = 0;  // of calls, the last one
  int64_t calls_ KB_GUARDED_BY(mutex_) = 0;  // of all chains
};

}  // namespace

Result<std::unique_ptr<Observer>> NewCupti() {
  KB_ASSIGN(void* const library, OpenLibrary());
  auto cupti = std::make_unique<Cupti>(library);
  KB_TRY(cupti->Subscribe());
  return std::unique_ptr<Observer>(std::move(cupti));
}

}  // namespace kb::provenance
