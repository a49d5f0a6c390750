#include "remote.h"

#include <algorithm>
#include <atomic>
#include <cctype>
#include <chrono>
#include <ctime>
#include <set>

#include "base/mutex.h"
#include "base/text.h"
#include "fields.h"
#include "gate.h"
#include "retry.h"

namespace kb::llm {
namespace {

using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;
using OnStep = std::function<void(const std::string&)>;

constexpr size_t kExcerptBytes = 200;
// Of something that is not an answer; enough to recognise it.
constexpr size_t kForeignBytes = size_t{64} << 10;
constexpr milliseconds kStepInterval{500};

milliseconds FromSeconds(double seconds) {
  return milliseconds(static_cast<int64_t>(seconds * 1e3));
}

// "1,204"
std::string WithCommas(size_t count) {
  std::string text = fmt::format("{}", count);
  for (size_t i = 3; i < text.size(); i += 4)
    text.insert(text.size() - i, 1, ',');
  return text;
}

// Reads the body of one answer as it comes in, whatever form it has.
class AnswerReader {
 public:
  AnswerReader(const Dialect& dialect, const Key& key, const OnStep& on_step)
      : dialect_(dialect), key_(key), on_step_(on_step) {}

  net::Take Add(const net::Response& so_far, std::string_view piece) {
    if (so_far.status != 200)
      return so_far.body_bytes > kForeignBytes ? net::Take::kEnd
                                               : net::Take::kKeep;
    if (form_ == Form::kUnknown) form_ = FormOf(so_far, piece);
    if (form_ == Form::kForeign)
      return so_far.body_bytes > kForeignBytes ? net::Take::kEnd
                                               : net::Take::kKeep;
    if (form_ != Form::kStream) return net::Take::kKeep;
    const bool more =
        events_.Feed(piece, [this](const Event& e) { return Read(e); });
    Tell();
    return more ? net::Take::kDrop : net::Take::kEnd;
  }

  // After the transfer has failed: the answer, if all of it was there before.
  // Asked again, it would be paid again.
  std::optional<Draft> Rescue() {
    if (!draft_.complete || draft_.error || malformed_) return std::nullopt;
    return std::move(draft_);
  }

  // After the transfer has ended well: the draft, or what was wrong with it.
  tl::expected<Draft, Trouble> Finish(const net::Response& response) {
    using Kind = Trouble::Kind;
    if (response.status != 200) return FailStatus(response);
    if (form_ == Form::kForeign || form_ == Form::kUnknown)
      return Fail(form_ == Form::kUnknown ? Kind::kMalformed : Kind::kForeign,
                  response,
                  fmt::format("not an answer but {}: \"{}\"", TypeOf(response),
                              Excerpt(response.body)));
    if (form_ == Form::kWhole) ReadWhole(response.body);
    if (events_.too_long())
      return Fail(Kind::kTooLarge, response, "an event is too long");
    if (malformed_)
      return Fail(Kind::kMalformed, response,
                  "malformed answer: " + Excerpt(*malformed_));
    if (draft_.error) {
      auto trouble =
          Fail(Kind::kStatus, response, Excerpt(draft_.error->message));
      trouble.value().status = draft_.error->status;
      trouble.value().flagged = draft_.error->flagged;
      return trouble;
    }
    if (!draft_.complete)
      return Fail(Kind::kBroken, response,
                  "the stream ended before the answer did");
    return std::move(draft_);
  }

 private:
  enum class Form { kUnknown, kStream, kWhole, kForeign };

  // One line of foreign text, short. The key goes first: what is cut could not
  // be recognised as it.
  std::string Excerpt(std::string_view text) const {
    const std::string line =
        base::OneLine(base::Printable(key_.Redacted(std::string(text))));
    return base::ShortenLine(base::Trim(line), kExcerptBytes);
  }

  std::string TypeOf(const net::Response& response) const {
    const std::string type = response.Header("content-type");
    return type.empty() ? "nothing" : Excerpt(type);
  }

  static Form FormOf(const net::Response& so_far, std::string_view piece) {
    std::string type = so_far.Header("content-type");
    std::ranges::transform(type, type.begin(),
                           [](unsigned char c) { return std::tolower(c); });
    if (type.starts_with("text/event-stream")) return Form::kStream;
    if (type.starts_with("application/json")) return Form::kWhole;
    const std::string_view start = base::Trim(piece);
    // Servers that do not say what they send.
    if (!type.empty() && !type.starts_with("text/plain") &&
        !type.starts_with("application/octet-stream"))
      return Form::kForeign;
    if (start.starts_with('{') || start.starts_with('[')) return Form::kWhole;
    for (const std::string_view mark : {"data:", "event:", "id:", ":"})
      if (start.starts_with(mark)) return Form::kStream;
    return Form::kForeign;
  }

  bool Read(const Event& event) {
    if (auto read = dialect_.ReadEvent(event, &draft_); !read)
      malformed_ = read.error().message();
    return !malformed_ && !draft_.error && !draft_.ended;
  }

  void ReadWhole(const std::string& body) {
    auto json = base::ParseJson(body, "the answer");
    if (!json) {
      malformed_ = json.error().message();
    } else if (auto read = dialect_.ReadWhole(*json, &draft_); !read) {
      malformed_ = read.error().message();
    }
  }

  void Tell() {
    const auto now = Clock::now();
    if (!on_step_ || now - told_ < kStepInterval) return;
    told_ = now;
    const size_t text = draft_.reply.text.size();
    const size_t thought = draft_.reply.reasoning.size();
    on_step_(text == 0 && thought > 0
                 ? fmt::format("thinking, {} characters", WithCommas(thought))
                 : fmt::format("{} characters", WithCommas(text)));
  }

  static tl::unexpected<Trouble> Fail(Trouble::Kind kind,
                                      const net::Response& response,
                                      std::string message) {
    return tl::unexpected<Trouble>(
        Trouble{kind, 0, std::move(message), response.headers});
  }

  tl::unexpected<Trouble> FailStatus(const net::Response& response) const {
    auto trouble = Fail(Trouble::Kind::kStatus, response, "");
    Trouble& value = trouble.value();
    value.status = response.status;
    const auto json = base::ParseJson(response.body, "an error");
    const auto error = json ? ErrorIn(*json, response.status) : std::nullopt;
    value.message = Excerpt(error ? error->message : response.body);
    if (value.message.empty()) value.message = "no reason given";
    // OpenAI says 429 both to haste and to an empty account.
    if (error && error->status == 402) value.status = 402;
    value.flagged = error && error->flagged;
    return trouble;
  }

  const Dialect& dialect_;
  const Key& key_;
  const OnStep& on_step_;
  Form form_ = Form::kUnknown;
  EventParser events_;
  Draft draft_;
  std::optional<std::string> malformed_;
  Clock::time_point told_ = Clock::now();
};

Trouble TroubleOf(const net::Failure& failure) {
  using Kind = net::Failure::Kind;
  Trouble trouble;
  trouble.message = failure.message;
  switch (failure.kind) {
    case Kind::kConnect:
    case Kind::kTimeout:
    case Kind::kReset:
      trouble.kind = Trouble::Kind::kBroken;
      break;
    case Kind::kTooLarge:
      trouble.kind = Trouble::Kind::kTooLarge;
      break;
    case Kind::kCancelled:
      trouble.kind = Trouble::Kind::kCancelled;
      break;
    case Kind::kTls:
    case Kind::kRedirect:
    case Kind::kOther:
      trouble.kind = Trouble::Kind::kFatal;
      break;
  }
  return trouble;
}

// Tells a setting that the model does not take from questions that it does not:
// that it rejects all there is from the start, in the same words. Thread-safe.
class FirstQuestions {
 public:
  static constexpr size_t kCount = 5;

  // One was answered, or given up otherwise.
  void Pass() {
    const base::MutexLock lock(&mutex_);
    is_passed_ = true;
  }

  // One about a problem was rejected. Whether those of so many problems were,
  // and none passed: what is wrong with one prompt is wrong with its samples.
  bool Reject(const std::string& problem, const std::string& why) {
    const base::MutexLock lock(&mutex_);
    if (rejected_.empty()) why_ = why;
    rejected_.insert(problem);
    is_passed_ = is_passed_ || why != why_;
    return !is_passed_ && rejected_.size() >= kCount;
  }

 private:
  base::Mutex mutex_;
  bool is_passed_ KB_GUARDED_BY(mutex_) = false;
  std::set<std::string> rejected_ KB_GUARDED_BY(mutex_);
  std::string why_ KB_GUARDED_BY(mutex_);
};

class Remote : public Provider {
 public:
  Remote(const Model& model, Key key, std::unique_ptr<Dialect> dialect)
      : model_(model),
        key_(std::move(key)),
        dialect_(std::move(dialect)),
        rules_(RetryRules::For(model.attempts)),
        seed_(base::SecretSeed()) {}

  tl::expected<Reply, Failure> Ask(const Question& question,
                                   const OnStep& on_step,
                                   std::stop_token stop) override {
    base::Sequence random(base::Mix(seed_ + asked_.fetch_add(1)));
    for (int64_t attempt = 1;; ++attempt) {
      if (!Pass(on_step, stop)) return Cancelled();
      auto draft = Try(question, on_step, stop);
      if (draft) {
        first_.Pass();
        draft->reply.attempts = attempt;
        if (!draft->state.is_null())
          draft->reply.state = base::DumpJson(draft->state);
        // A server could echo what it was sent, and answers are kept.
        for (std::string* text :
             {&draft->reply.text, &draft->reply.reasoning, &draft->reply.state,
              &draft->reply.served_model})
          *text = key_.Redacted(std::move(*text));
        return std::move(draft->reply);
      }
      const Decision decision =
          Decide(draft.error(), attempt, rules_, std::time(nullptr), &random);
      if (!decision.wait)
        return tl::unexpected<Failure>(
            GivenUp(question, decision, draft.error().flagged));
      if (decision.everyone) gate_.Close(Clock::now() + *decision.everyone);
      Say(on_step, *decision.wait, decision.message);
      if (!gate_.Sleep(*decision.wait, stop)) return Cancelled();
    }
  }

 private:
  static tl::unexpected<Failure> Cancelled() {
    return tl::unexpected<Failure>(
        Failure{Failure::Kind::kCancelled, "cancelled"});
  }

  Failure GivenUp(const Question& question, const Decision& decision,
                  bool flagged) {
    using Kind = Failure::Kind;
    // Moderation is of the prompt.
    if (decision.kind == Kind::kUnusable || flagged) first_.Pass();
    // One with a history follows answers, perhaps of an earlier call.
    if (decision.kind == Kind::kRejected && question.history.empty() &&
        first_.Reject(question.problem_id, decision.message))
      return {
          Kind::kFatal,
          Named(fmt::format(
              "the questions about the first {} problems were all rejected: {}",
              FirstQuestions::kCount, decision.message))};
    return {decision.kind, Named(decision.message)};
  }

  std::string Named(const std::string& message) const {
    return key_.Redacted(fmt::format("{}: {}", model_.name, message));
  }

  void Say(const OnStep& on_step, milliseconds wait,
           const std::string& why) const {
    if (!on_step) return;
    on_step(key_.Redacted(fmt::format("waiting {:.1f} s ({})",
                                      static_cast<double>(wait.count()) / 1e3,
                                      why)));
  }

  bool Pass(const OnStep& on_step, const std::stop_token& stop) {
    if (const auto left = gate_.Left(); left.count() > 0)
      Say(on_step, left, "rate limit");
    return gate_.Pass(stop);
  }

  tl::expected<Draft, Trouble> Try(const Question& question,
                                   const OnStep& on_step,
                                   const std::stop_token& stop) {
    net::Request request = dialect_->Compose(model_, question, key_);
    request.headers.emplace_back("Accept",
                                 "text/event-stream, application/json");
    request.idle_timeout = FromSeconds(model_.idle_seconds);
    request.total_timeout = FromSeconds(model_.total_seconds);
    AnswerReader reader(*dialect_, key_, on_step);
    request.on_data = [&](const net::Response& so_far, std::string_view piece) {
      return reader.Add(so_far, piece);
    };
    const auto start = Clock::now();
    const auto response = net::Send(request, stop);
    if (!response) {
      auto rescued = reader.Rescue();
      if (!rescued) return tl::unexpected<Trouble>(TroubleOf(response.error()));
      rescued->reply.seconds =
          std::chrono::duration<double>(Clock::now() - start).count();
      return std::move(*rescued);
    }
    auto draft = reader.Finish(*response);
    if (draft) draft->reply.seconds = response->seconds;
    return draft;
  }

  const Model model_;
  const Key key_;
  const std::unique_ptr<Dialect> dialect_;
  const RetryRules rules_;
  const uint64_t seed_;
  std::atomic<uint64_t> asked_ = 0;
  Gate gate_;
  FirstQuestions first_;
};

}  // namespace

std::unique_ptr<Provider> MakeRemote(const Model& model, Key key,
                                     std::unique_ptr<Dialect> dialect) {
  return std::make_unique<Remote>(model, std::move(key), std::move(dialect));
}

}  // namespace kb::llm
