#pragma once

#include <memory>
#include <optional>
#include <string>

#include "base/json.h"
#include "base/result.h"
#include "key.h"
#include "llm/model.h"
#include "llm/provider.h"
#include "net/http.h"
#include "sse.h"
#include "tally.h"

namespace kb::llm {

// What the API complains about in the middle of a stream, as the status that it
// would have had.
struct ApiError {
  int status = 500;
  std::string message;
  bool flagged = false;  // moderation refuses this prompt
};

// An answer while it comes in.
struct Draft {
  Reply reply;
  bool ended = false;     // the end mark was seen: nothing more will come
  bool complete = false;  // all text is there, though more may come (usage)
  std::optional<ApiError> error;
  Tally tally;  // for a dialect that counts in several events
  // What becomes Reply::state; null: nothing.
  base::Json state;
  // Of a character whose rest is in a later event, as JSON escapes it.
  std::string half;
};

// How one API is spoken. Stateless.
class Dialect {
 public:
  virtual ~Dialect() = default;
  // Address, headers and body of a question, to be streamed.
  virtual net::Request Compose(const Model& model, const Question& question,
                               const Key& key) const = 0;
  // Adds an event of the stream to `draft`; an Error when it is malformed.
  virtual base::Result<void> ReadEvent(const Event& event,
                                       Draft* draft) const = 0;
  // An answer that came in one piece.
  virtual base::Result<void> ReadWhole(const base::Json& json,
                                       Draft* draft) const = 0;
};

std::unique_ptr<Dialect> MakeOpenAi();
std::unique_ptr<Dialect> MakeAnthropic();
std::unique_ptr<Dialect> MakeGemini();

}  // namespace kb::llm
