#include "jail/jail.h"

#include <optional>
#include <system_error>
#include <thread>

#include "base/check.h"
#include "linux/cgroup.h"
#include "linux/private_tmp.h"
#include "linux/supervisor.h"
#include "linux/suspend.h"

namespace kb::jail {

using base::Fail;
using base::Result;

// The thread reads what the program prints and enforces the wall limit even
// when nobody calls Wait() for long.
struct Jail::State {
  State() = default;
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() {
    supervisor->Kill();
    if (thread.joinable()) thread.join();
  }

  std::unique_ptr<Supervisor> supervisor;
  JailExit exit;  // after the join
  std::thread thread;
};

Jail::Jail(std::unique_ptr<State> state) : state_(std::move(state)) {}
Jail::Jail(Jail&&) noexcept = default;
Jail& Jail::operator=(Jail&&) noexcept = default;
Jail::~Jail() = default;

Result<Jail> Jail::Start(const JailSpec& spec) {
  KB_ASSIGN(auto supervisor, Supervisor::Start(spec));
  auto state = std::make_unique<State>();
  state->supervisor = std::move(supervisor);
  try {
    state->thread =
        std::thread([s = state.get()] { s->exit = s->supervisor->Watch(); });
  } catch (const std::system_error& error) {
    return Fail("starting a thread for a jail: {}", error.what());
  }
  return Jail(std::move(state));
}

int Jail::wait_fd() const { return state_->supervisor->pidfd(); }

void Jail::Kill() { state_->supervisor->Kill(); }

void Jail::LimitLife(std::chrono::milliseconds wall) {
  state_->supervisor->LimitLife(wall);
}

// After Wait() the number may be another process's.
void Jail::Suspend() {
  if (state_->thread.joinable() &&
      !SuspendBelow(state_->supervisor->init_pid()))
    state_->supervisor->KillUnstoppable();
}

void Jail::Resume() {
  if (state_->thread.joinable()) ResumeBelow(state_->supervisor->init_pid());
}

const JailExit& Jail::Wait() {
  KB_CHECK(state_ != nullptr);
  if (state_->thread.joinable()) state_->thread.join();
  return state_->exit;
}

void Jail::Confine(const std::vector<int>& processors) {
  if (state_->thread.joinable())
    ConfineBelow(state_->supervisor->init_pid(), processors);
}

void Jail::Prefer() {
  if (state_->thread.joinable()) PreferBelow(state_->supervisor->init_pid());
}

void SweepStaleJails() {
  Cgroup::RemoveStale();
  PrivateTmp::RemoveStale();
}

}  // namespace kb::jail
