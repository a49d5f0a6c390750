#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "base/result.h"
#include "llm/model.h"
#include "record/generation.h"

namespace kb::llm {

// One message of a conversation.
struct Message {
  enum class Role { kUser, kAssistant };
  Role role = Role::kUser;
  std::string text;
  // Of the assistant, as the Reply had them.
  std::string state = {};
  std::string reasoning = {};
};
const char* RoleName(Message::Role role);  // "user", "assistant"

// Seeds of a sample's draws are so far apart that no other sample has them.
constexpr int64_t kSeedsApart = 100000;

struct Question {
  std::string problem_id;  // for replay and for a command's environment
  int64_t sample = 0;
  int64_t turn = 1;    // of the conversation that the sample is
  int64_t draw = 0;    // of several answers to the same question
  std::string system;  // the same for every problem: cached where possible
  // What was said before: a user's and an assistant's message in turn.
  std::vector<Message> history;
  std::string user;  // the last message
  // A later question will begin with so many of the messages: they are marked
  // to be cached, where an API wants that.
  int64_t lasting = 0;
};
// Added to the model's seed.
inline int64_t SeedOffset(const Question& question) {
  return question.sample + kSeedsApart * question.draw;
}
// With the last one.
std::vector<Message> MessagesOf(const Question& question);

enum class Finish { kStop, kLength, kRefused, kOther };

struct Reply {
  std::string text;
  std::string reasoning;
  // The answer as the API wants it back in a later turn, JSON of its dialect;
  // empty: its text says all.
  std::string state;
  Finish finish = Finish::kStop;
  std::string served_model;
  std::optional<record::Usage> usage;  // absent: not said, or a mistake
  int64_t newly_cached = 0;            // of the input: written to a cache
  std::optional<double> usd;           // when the provider says it
  std::string usage_mistake;  // why what it said of these does not count
  double seconds = 0;
  int64_t attempts = 1;
  std::string file_name;  // replay: the answer is this file as it is
};

// Why there is no Reply. Messages never hold a key.
struct Failure {
  enum class Kind {
    kCancelled,    // we were asked to stop
    kUnavailable,  // tried `attempts` times; a later run may have more luck
    kUnusable,     // this answer will not get better: malformed, too large
    kRejected,     // the provider refuses this question (400, moderation)
    kFatal,        // no question will be answered: key, model name, address
    kExhausted,    // replay has no such answer
  };
  Kind kind = Kind::kUnavailable;
  std::string message;
};

// Asks one model. May be used from several threads at once; the caller keeps
// to Model::concurrency.
class Provider {
 public:
  virtual ~Provider() = default;

  // How many answers there are for a problem, when that is known beforehand: of
  // a replay. Samples 0, 1, ... below it can be asked for.
  virtual std::optional<int64_t> Answers(const std::string& problem_id) const {
    static_cast<void>(problem_id);
    return std::nullopt;
  }

  // Waits for rate limits and tries again by itself. `on_step` is told what is
  // going on ("waiting 3 s (429)", "1,204 characters").
  virtual tl::expected<Reply, Failure> Ask(
      const Question& question,
      const std::function<void(const std::string&)>& on_step,
      std::stop_token stop) = 0;

  // No more is asked about that sample.
  virtual void End(const std::string& problem_id, int64_t sample) {
    static_cast<void>(problem_id);
    static_cast<void>(sample);
  }
};

// Reads the key and finds what is needed. A replay of a run needs `recorded`:
// the generation of a problem, a sample and a turn, if there is one.
using Recorded = std::function<std::optional<record::Generation>(
    const std::string& problem_id, int64_t sample, int64_t turn)>;
base::Result<std::unique_ptr<Provider>> MakeProvider(const Model& model,
                                                     Recorded recorded);

}  // namespace kb::llm
