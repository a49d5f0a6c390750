#include "jail/fork_service.h"

#include <sched.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <memory>
#include <system_error>
#include <utility>

#include "base/json.h"
#include "linux/plan_codec.h"
#include "wire/channel.h"

namespace kb::jail {
namespace {

using base::Fail;
using base::Ok;
using base::Result;

// Never destroyed: in a child the numbers of its descriptors are other files'.
struct Service {
  explicit Service(int socket) : channel(os::Fd(socket)) {
    CPU_ZERO(&processors);
    ::sched_getaffinity(0, sizeof processors, &processors);
  }

  wire::Channel channel;
  cpu_set_t processors;  // at the start
  std::unique_ptr<DecodedPlan> asked;
};
Service* service = nullptr;

size_t Threads() {
  std::error_code error;
  const std::filesystem::directory_iterator tasks("/proc/self/task", error);
  return static_cast<size_t>(std::distance(begin(tasks), end(tasks)));
}

// A forked program has the one thread that forked. Libraries that start
// threads when they are loaded (OpenBLAS) end them before a fork, and start
// them again where they are used.
Result<void> EndThreadsOfLibraries() {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(0);
  if (child < 0) return os::FailErrno("fork");
  ::waitpid(child, nullptr, 0);
  if (Threads() != 1)
    return Fail("what is loaded keeps {} threads, which a fork would lose",
                Threads());
  return Ok();
}

Result<void> Begin(int socket) {
  KB_TRY(EndThreadsOfLibraries());
  // What a jail's user could be, too.
  ::prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
  service = std::make_unique<Service>(socket).release();
  return Ok();
}

// Whether there is one.
Result<bool> Await() {
  service->asked.reset();
  KB_ASSIGN(std::optional<wire::Message> message,
            service->channel.Receive(std::nullopt));
  if (!message) return false;
  if (message->type != wire::MessageType::kFork)
    return Fail("message {} is no plan", static_cast<int>(message->type));
  KB_ASSIGN(DecodedPlan decoded,
            DecodePlan(message->payload, std::move(message->fds)));
  decoded.plan.in_place = true;
  service->asked = std::make_unique<DecodedPlan>(std::move(decoded));
  return true;
}

// Whether we are the child.
Result<bool> Fork() {
  // Ours, too, from now on: somebody may be timed on the others.
  const cpu_set_t processors =
      service->asked->plan.processors.value_or(service->processors);
  ::sched_setaffinity(0, sizeof processors, &processors);
  KB_ASSIGN(const FirstProcess init,
            StartJailInit(service->asked->plan, service->asked->ends));
  if (init.pid == 0) return true;
  KB_TRY(service->channel.Send(wire::MessageType::kForked,
                               base::DumpJson({{"pid", init.pid}}),
                               {init.pidfd.get()}));
  service->asked.reset();
  return false;
}

int Say(const base::Error& error) {
  std::fprintf(stderr, "fork server: %s\n", error.message().c_str());
  return -1;
}

}  // namespace
}  // namespace kb::jail

extern "C" int kb_jail_await_fork(int socket) {
  if (kb::jail::service == nullptr)
    if (const auto begun = kb::jail::Begin(socket); !begun)
      return kb::jail::Say(begun.error());
  const auto asked = kb::jail::Await();
  if (!asked) return kb::jail::Say(asked.error());
  return *asked ? 1 : 0;
}

extern "C" int kb_jail_fork() {
  const auto child = kb::jail::Fork();
  if (!child) return kb::jail::Say(child.error());
  return *child ? 1 : 0;
}

extern "C" const char* kb_jail_argument(int i) {
  return kb::jail::service->asked->plan.argv.get()[i];
}

extern "C" const char* kb_jail_environment(int i) {
  return kb::jail::service->asked->plan.environment.get()[i];
}
