#include "episode.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <map>
#include <utility>

#include "base/mutex.h"
#include "fields.h"
#include "local.h"
#include "program.h"
#include "tally.h"

namespace kb::llm {
namespace {

using base::Json;
using base::Result;
using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;
using Kind = Failure::Kind;

// For a program whose standard input has ended.
constexpr milliseconds kGoodbye{500};

// Moves the tokens of an answer's line into the reply.
void TakeUsage(const Json& line, Reply* reply) {
  const Json& usage = At(line, "usage");
  if (usage.is_object()) {
    Tally tally;
    tally.input = tally.Count(usage, "input");
    tally.output = tally.Count(usage, "output");
    tally.cached = tally.Count(usage, "cached").value_or(0);
    tally.reasoning = tally.Count(usage, "reasoning").value_or(0);
    tally.Settle(reply);
  }
  reply->usd = UsdAt(line, "usd", reply);
}

// A program for as long as it is spoken to, by one thread at a time.
class Episode {
 public:
  static Result<std::unique_ptr<Episode>> Start(const Model& model,
                                                const Question& question) {
    // A socket, because writing to a pipe that nobody reads is a signal.
    std::array<int, 2> ends{};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
      return os::FailErrno("socketpair");
    os::Fd ours(ends[0]);
    const os::Fd theirs(ends[1]);
    ::fcntl(ours.get(), F_SETFL, O_NONBLOCK);
    KB_ASSIGN(Program program,
              StartProgram(model.command, question, theirs.get()));
    return std::make_unique<Episode>(std::move(program), std::move(ours));
  }

  Episode(Program program, os::Fd input)
      : program_(std::move(program)), input_(std::move(input)) {}
  ~Episode() {
    input_ = os::Fd();
    program_.process.Wait(kGoodbye);
  }
  Episode(const Episode&) = delete;
  Episode& operator=(const Episode&) = delete;

  // Sends the line and waits for one.
  tl::expected<std::string, Failure> Exchange(const std::string& line,
                                              Clock::time_point deadline,
                                              const std::stop_token& stop) {
    const os::Fd wake(::eventfd(0, EFD_CLOEXEC));
    const std::stop_callback wake_up(stop,
                                     [&] { ::eventfd_write(wake.get(), 1); });
    unsent_ = line;
    while (true) {
      if (const size_t end = out_.find('\n'); end != std::string::npos) {
        std::string answer = out_.substr(0, end);
        out_.erase(0, end + 1);
        return answer;
      }
      if (stop.stop_requested()) return Failed(Kind::kCancelled, "cancelled");
      if (out_.size() > kMaxAnswer)
        return Failed(
            Kind::kUnusable,
            fmt::format("the answer is longer than {} bytes", kMaxAnswer));
      if (!out_open_)
        return Failed(
            Kind::kUnavailable,
            "it ended without an answer, " +
                Complaint(CodeOf(program_.process.Wait(kGoodbye)), err_));
      if (Clock::now() >= deadline)
        return Failed(Kind::kUnavailable, "not done in time (total_seconds)");
      Poll(deadline, wake.get());
    }
  }

 private:
  void Poll(Clock::time_point deadline, int wake) {
    const auto left = std::chrono::ceil<milliseconds>(deadline - Clock::now());
    std::array<pollfd, 4> files{{
        {program_.out.get(), POLLIN, 0},
        {err_open_ ? program_.err.get() : -1, POLLIN, 0},
        {unsent_.empty() ? -1 : input_.get(), POLLOUT, 0},
        {wake, POLLIN, 0},
    }};
    const auto wait = std::clamp<int64_t>(left.count(), 0, 60000);
    if (::poll(files.data(), files.size(), static_cast<int>(wait)) <= 0) return;
    if (files[0].revents != 0) out_open_ = ReadSome(program_.out, &out_);
    if (files[1].revents != 0) err_open_ = ReadSome(program_.err, &err_);
    if (err_.size() > 2 * kMaxErrors) err_.erase(0, err_.size() - kMaxErrors);
    if (files[2].revents != 0) Send();
  }

  void Send() {
    const ssize_t sent = ::send(input_.get(), unsent_.data(), unsent_.size(),
                                MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent > 0) unsent_.erase(0, static_cast<size_t>(sent));
    // Whoever does not read may still answer.
    if (sent < 0 && errno != EAGAIN && errno != EINTR) unsent_.clear();
  }

  Program program_;
  os::Fd input_;
  std::string unsent_;
  std::string out_;
  std::string err_;
  bool out_open_ = true;
  bool err_open_ = true;
};

class Episodes : public Provider {
 public:
  explicit Episodes(const Model& model) : model_(model) {}

  tl::expected<Reply, Failure> Ask(
      const Question& question,
      const std::function<void(const std::string&)>& on_step,
      std::stop_token stop) override {
    if (on_step) on_step("asking " + model_.command[0]);
    auto reply = Once(question, stop);
    if (reply) return reply;
    return tl::unexpected<Failure>(OfProgram(model_, reply.error()));
  }

  void End(const std::string& problem_id, int64_t sample) override {
    Take({problem_id, sample});
  }

 private:
  using Key = std::pair<std::string, int64_t>;

  tl::expected<Reply, Failure> Once(const Question& question,
                                    const std::stop_token& stop) {
    const Key key{question.problem_id, question.sample};
    // After a failure the program is a new one, and is told all again.
    std::unique_ptr<Episode> episode = Take(key);
    if (!episode) {
      auto started = Episode::Start(model_, question);
      if (!started) return Failed(Kind::kFatal, started.error().message());
      episode = std::move(*started);
    }
    const auto start = Clock::now();
    const milliseconds limit(static_cast<int64_t>(model_.total_seconds * 1e3));
    const auto line =
        episode->Exchange(JsonLineOf(question), start + limit, stop);
    if (!line) return tl::unexpected<Failure>(line.error());
    const auto json = base::ParseJson(*line, "the line");
    if (!json || !At(*json, "answer").is_string())
      return Failed(Kind::kUnusable,
                    R"(its line is not JSON with {"answer": "..."})");
    Reply reply;
    reply.text = TextAt(*json, "answer");
    TakeUsage(*json, &reply);
    reply.served_model = model_.command[0];
    reply.seconds = std::chrono::duration<double>(Clock::now() - start).count();
    const base::MutexLock lock(&mutex_);
    episodes_[key] = std::move(episode);
    return reply;
  }

  // Out of the list, so that it ends unless it is put back.
  std::unique_ptr<Episode> Take(const Key& key) {
    const base::MutexLock lock(&mutex_);
    const auto found = episodes_.find(key);
    if (found == episodes_.end()) return nullptr;
    std::unique_ptr<Episode> episode = std::move(found->second);
    episodes_.erase(found);
    return episode;
  }

  const Model model_;
  base::Mutex mutex_;
  std::map<Key, std::unique_ptr<Episode>> episodes_ KB_GUARDED_BY(mutex_);
};

}  // namespace

std::unique_ptr<Provider> MakeEpisodes(const Model& model) {
  return std::make_unique<Episodes>(model);
}

}  // namespace kb::llm
