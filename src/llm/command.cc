#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <utility>

#include "episode.h"
#include "local.h"
#include "os/fd.h"
#include "program.h"

namespace kb::llm {
namespace {

using base::Ok;
using base::Result;
using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;
using Kind = Failure::Kind;

// For output that is still in the pipe when the program has ended.
constexpr milliseconds kDrain{500};

// What was said, as a person reads it.
std::string TextOf(const Question& question) {
  std::string text = question.system.empty() ? "" : question.system + "\n\n";
  bool first = true;
  for (const Message& message : MessagesOf(question)) {
    if (!std::exchange(first, false))
      text += fmt::format("\n\n--- {} ---\n", RoleName(message.role));
    text += message.text;
  }
  return text;
}

// The prompt as a file in memory: the program may read it or not, at any speed.
Result<os::Fd> FileOf(const std::string& text) {
  os::Fd file(::memfd_create("prompt", MFD_CLOEXEC));
  if (!file.valid()) return os::FailErrno("memfd_create");
  std::string_view left = text;
  while (!left.empty()) {
    const ssize_t count = ::write(file.get(), left.data(), left.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return os::FailErrno("writing the prompt");
    left.remove_prefix(static_cast<size_t>(count));
  }
  if (::lseek(file.get(), 0, SEEK_SET) != 0) return os::FailErrno("lseek");
  return file;
}

// One run of the program.
class Run {
 public:
  Run(Program* program, Clock::time_point deadline, int wake)
      : program_(program), deadline_(deadline), wake_(wake) {}

  // Until the program has ended and its output is read.
  tl::expected<void, Failure> Wait(const std::stop_token& stop) {
    while (!ended_ || out_open_) {
      Poll();
      if (stop.stop_requested()) return Failed(Kind::kCancelled, "cancelled");
      if (out.size() > kMaxAnswer)
        return Failed(
            Kind::kUnusable,
            fmt::format("the answer is longer than {} bytes", kMaxAnswer));
      if (Clock::now() < deadline_) continue;
      if (ended_) break;  // somebody else holds the pipe open
      return Failed(Kind::kUnavailable, "not done in time (total_seconds)");
    }
    return {};
  }

  std::string out;
  std::string err;

 private:
  void Poll() {
    const auto left = std::chrono::ceil<milliseconds>(deadline_ - Clock::now());
    std::array<pollfd, 4> files{{
        {out_open_ ? program_->out.get() : -1, POLLIN, 0},
        {err_open_ ? program_->err.get() : -1, POLLIN, 0},
        {ended_ ? -1 : program_->process.wait_fd(), POLLIN, 0},
        {wake_, POLLIN, 0},
    }};
    const auto wait = std::clamp<int64_t>(left.count(), 0, 60000);
    if (::poll(files.data(), files.size(), static_cast<int>(wait)) <= 0) return;
    if (files[0].revents != 0) out_open_ = ReadSome(program_->out, &out);
    if (files[1].revents != 0) err_open_ = ReadSome(program_->err, &err);
    if (err.size() > 2 * kMaxErrors) err.erase(0, err.size() - kMaxErrors);
    if (files[2].revents == 0) return;
    ended_ = true;
    deadline_ = std::min(deadline_, Clock::now() + kDrain);
  }

  Program* program_;
  Clock::time_point deadline_;
  int wake_;
  bool out_open_ = true;
  bool err_open_ = true;
  bool ended_ = false;
};

class Command : public Provider {
 public:
  explicit Command(const Model& model) : model_(model) {}

  tl::expected<Reply, Failure> Ask(
      const Question& question,
      const std::function<void(const std::string&)>& on_step,
      std::stop_token stop) override {
    auto reply = Once(question, on_step, stop);
    if (reply) return reply;
    return tl::unexpected<Failure>(OfProgram(model_, reply.error()));
  }

 private:
  tl::expected<Reply, Failure> Once(
      const Question& question,
      const std::function<void(const std::string&)>& on_step,
      const std::stop_token& stop) const {
    const auto start = Clock::now();
    const os::Fd wake(::eventfd(0, EFD_CLOEXEC));
    const auto input =
        FileOf(model_.conversation == "json" ? JsonLineOf(question)
                                             : TextOf(question));
    if (!input) return Failed(Kind::kFatal, input.error().message());
    auto program = StartProgram(model_.command, question, input->get());
    if (!program) return Failed(Kind::kFatal, program.error().message());
    if (on_step) on_step("running " + model_.command[0]);
    const std::stop_callback wake_up(stop,
                                     [&] { ::eventfd_write(wake.get(), 1); });
    const milliseconds limit(static_cast<int64_t>(model_.total_seconds * 1e3));
    Run run(&*program, start + limit, wake.get());
    if (auto waited = run.Wait(stop); !waited)
      return tl::unexpected<Failure>(waited.error());
    // It has ended, so this only reaps it and ends what it left behind.
    if (const int code = CodeOf(program->process.Wait(kDrain)); code != 0)
      return Failed(Kind::kUnavailable, Complaint(code, run.err));
    Reply reply;
    reply.text = std::move(run.out);
    reply.served_model = model_.command[0];
    reply.seconds = std::chrono::duration<double>(Clock::now() - start).count();
    return reply;
  }

  const Model model_;
};

}  // namespace

Result<std::unique_ptr<Provider>> MakeCommand(const Model& model) {
  const std::string& program = model.command.at(0);
  if (!os::FindProgram(program))
    return base::Usage(
        "model {}: there is no program {}; install it or "
        "correct the command",
        model.name, program);
  if (model.conversation == "episode") return MakeEpisodes(model);
  return std::make_unique<Command>(model);
}

}  // namespace kb::llm
