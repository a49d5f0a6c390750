#include "jail/fork_server.h"

#include <atomic>
#include <utility>

#include "base/json.h"
#include "base/mutex.h"
#include "os/deadline.h"
#include "os/process.h"
#include "wire/channel.h"

namespace kb::jail {

using base::Result;
using std::chrono::milliseconds;
using wire::MessageType;

namespace {

// For a fork, once everything is loaded.
constexpr milliseconds kForkLimit{30000};

}  // namespace

struct ForkServer::State {
  State(os::Process started, wire::Channel ours, milliseconds start_limit)
      : process(std::move(started)),
        channel(std::move(ours)),
        loaded(start_limit) {}

  Result<FirstProcess> Ask(std::string_view plan, const std::vector<int>& fds)
      KB_REQUIRES(mutex);

  os::Process process;
  base::Mutex mutex;
  wire::Channel channel KB_GUARDED_BY(mutex);
  const os::Deadline loaded;
  std::atomic<bool> alive = true;
};

ForkServer::ForkServer(std::unique_ptr<State> state)
    : state_(std::move(state)) {}
ForkServer::~ForkServer() = default;

Result<std::unique_ptr<ForkServer>> ForkServer::Start(Options options) {
  KB_ASSIGN(auto pair, os::SocketPair());
  os::Process::Options process;
  process.argv = std::move(options.argv);
  process.extra_env = std::move(options.env);
  process.inherits_env = false;
  process.inherited_fds = {pair.second.get()};
  KB_ASSIGN(os::Process started, os::Process::Start(process));
  return std::unique_ptr<ForkServer>(new ForkServer(std::make_unique<State>(
      std::move(started), wire::Channel(std::move(pair.first)),
      options.start_limit)));
}

bool ForkServer::alive() const { return state_->alive; }

Result<FirstProcess> ForkServer::Fork(std::string_view plan,
                                      const std::vector<int>& fds) {
  const base::MutexLock lock(&state_->mutex);
  auto forked = state_->Ask(plan, fds);
  if (forked) return forked;
  state_->alive = false;
  return base::Propagate(forked.error().Wrap("the fork server"));
}

Result<FirstProcess> ForkServer::State::Ask(std::string_view plan,
                                            const std::vector<int>& fds) {
  KB_TRY(channel.Send(MessageType::kFork, plan, fds));
  KB_ASSIGN(std::optional<wire::Message> answer,
            channel.Receive(kForkLimit + loaded.Left()));
  if (!answer)
    return base::Fail("has ended: {}",
                      os::Describe(process.Wait(milliseconds(2000))));
  if (answer->type != MessageType::kForked || answer->fds.size() != 1)
    return base::Fail("answers with something else");
  KB_ASSIGN(const base::Json json,
            base::ParseJson(answer->payload, "its answer"));
  KB_ASSIGN(const int64_t pid, base::Get<int64_t>(json, "pid"));
  return FirstProcess{static_cast<pid_t>(pid), std::move(answer->fds[0])};
}

}  // namespace kb::jail
