#include "sampler.h"

#include <execinfo.h>
#include <signal.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <utility>
#include <vector>

#include "effort.h"
#include "hot_spots.h"
#include "objects.h"
#include "tally.h"

namespace kb::provenance {
namespace {

using base::Result;
using record::Origin;

constexpr long kPeriodNanos = 100'000;
constexpr size_t kMostSamples = size_t{1} << 16;

struct Registers {
  uintptr_t code = 0;
  uintptr_t stack = 0;
};

Registers RegistersOf(const void* context) {
  const auto& machine = static_cast<const ucontext_t*>(context)->uc_mcontext;
#if defined(__x86_64__)
  return {static_cast<uintptr_t>(machine.gregs[REG_RIP]),
          static_cast<uintptr_t>(machine.gregs[REG_RSP])};
#else
  return {machine.pc, machine.sp};
#endif
}

// What the signal handler works with; it allocates and locks nothing.
struct Looks {
  struct Sample {
    uintptr_t at = 0;          // the code that ran
    uintptr_t worked_for = 0;  // and whose time that is
  };
  Objects objects;
  std::vector<Sample> seen = std::vector<Sample>(kMostSamples);
  std::atomic<size_t> count = 0;

  // The code that the thread works for: where it is, or, in code that counts
  // for its caller, where that was called from.
  uintptr_t WorkedFor(const Registers& at) const {
    const Objects::Object* const object = objects.Of(at.code);
    if (object == nullptr) return OnStack(at);
    return CountsFor(object) ? at.code : Caller(at);
  }

 private:
  static bool CountsFor(const Objects::Object* object) {
    return object != nullptr && OriginOnCpu(object->kind).has_value();
  }

  uintptr_t Caller(const Registers& at) const {
    std::array<void*, 48> frames;
    const int depth = backtrace(frames.data(), frames.size());
    const auto end = frames.begin() + depth;
    // Before it come the handler and what called it.
    auto frame =
        std::find(frames.begin(), end, reinterpret_cast<void*>(at.code));
    for (; frame < end; ++frame) {
      const auto address = reinterpret_cast<uintptr_t>(*frame);
      if (CountsFor(objects.Of(address))) return address;
    }
    return at.code;
  }

  // Nobody describes the frames of code that was made in memory: the nearest
  // address on the stack that lies in an object's code.
  uintptr_t OnStack(const Registers& at) const {
    constexpr size_t kWords = 64;
    const auto* const words = reinterpret_cast<const uintptr_t*>(at.stack);
    for (size_t i = 0; i < kWords; ++i)
      if (CountsFor(objects.Of(words[i]))) return words[i];
    return at.code;
  }
};

Looks* g_looks = nullptr;  // a signal handler has no argument of ours

void Look(int /*signal*/, siginfo_t* /*info*/, void* context) {
  const int saved = errno;
  Looks& looks = *g_looks;
  const Registers at = RegistersOf(context);
  const uintptr_t worked_for = looks.WorkedFor(at);
  const size_t i = looks.count.fetch_add(1);
  if (i < kMostSamples) looks.seen[i] = {at.code, worked_for};
  errno = saved;
}

class Sampler : public Observer {
 public:
  Sampler() { g_looks = &looks_; }
  Sampler(const Sampler&) = delete;
  Sampler& operator=(const Sampler&) = delete;
  ~Sampler() override {
    if (!armed_) return;
    timer_delete(timer_);
    sigaction(SIGPROF, &before_, nullptr);
  }

  Result<void> Arm() {
    std::array<void*, 2> frames;
    (void)backtrace(frames.data(), frames.size());  // loads what it needs
    struct sigaction action = {};
    action.sa_sigaction = Look;
    action.sa_flags = SA_SIGINFO | SA_RESTART;
    sigevent event = {};
    event.sigev_notify = SIGEV_THREAD_ID;
    event.sigev_signo = SIGPROF;
    event._sigev_un._tid = gettid();
    if (timer_create(CLOCK_MONOTONIC, &event, &timer_) != 0)
      return base::Fail("timer_create: {}", std::strerror(errno));
    sigaction(SIGPROF, &action, &before_);
    armed_ = true;
    return base::Ok();
  }

  void Begin() override {
    const uint64_t loaded = Objects::LoadedEver();
    if (loaded != loaded_) {
      Collect();
      looks_.objects = Objects::Loaded();
      loaded_ = loaded;
    }
    effort_.Begin();
    SetPeriod(kPeriodNanos);
  }

  void End(int64_t calls) override {
    SetPeriod(0);
    effort_.End(calls);
  }

  Result<record::Provenance> Tell() override {
    Collect();
    return tally_.Sum("samples");
  }

  Result<record::Activity> TellActivity() override {
    Collect();
    KB_ASSIGN(record::Activity activity, hot_spots_.Sum());
    effort_.Tell(&activity);
    return activity;
  }

 private:
  void SetPeriod(long nanos) {
    const timespec period{0, nanos};
    const itimerspec times{period, period};
    timer_settime(timer_, 0, &times, nullptr);
  }

  void Collect() {
    const size_t count = std::min(looks_.count.exchange(0), kMostSamples);
    for (size_t i = 0; i < count; ++i) Add(looks_.seen[i]);
  }

  void Add(const Looks::Sample& sample) {
    const Objects::Object* const object = looks_.objects.Of(sample.worked_for);
    const Origin origin =
        object == nullptr ? Origin::kUnknown
                          : OriginOnCpu(object->kind).value_or(Origin::kHost);
    tally_.Add(origin, object == nullptr ? "memory" : object->path, "", 1);
    // What we do for a call is no part of it.
    if (object == nullptr || object->kind != CodeKind::kOurs)
      hot_spots_.Add(origin, looks_.objects.Of(sample.at), sample.at);
  }

  Looks looks_;
  Tally tally_;
  HotSpots hot_spots_;
  Effort effort_;
  timer_t timer_{};
  struct sigaction before_ = {};
  bool armed_ = false;
  uint64_t loaded_ = 0;
};

}  // namespace

Result<std::unique_ptr<Observer>> NewSampler() {
  auto sampler = std::make_unique<Sampler>();
  KB_TRY(sampler->Arm());
  return std::unique_ptr<Observer>(std::move(sampler));
}

}  // namespace kb::provenance
