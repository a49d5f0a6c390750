#pragma once

#include <chrono>
#include <cstdint>
#include <ctime>
#include <map>
#include <optional>
#include <string>

#include "base/random.h"
#include "llm/provider.h"
#include "net/http.h"

namespace kb::llm {

// Why one request brought no reply.
struct Trouble {
  enum class Kind {
    kStatus,     // the API said so: `status`
    kBroken,     // no connection, a reset, a time-out, a stream without end
    kMalformed,  // an answer that cannot be read
    kForeign,    // something else answered: a web page
    kTooLarge,
    kFatal,  // a redirect, a certificate, no libcurl
    kCancelled,
  };
  Kind kind = Kind::kBroken;
  int status = 0;
  std::string message;
  std::map<std::string, std::string> headers;  // of the answer, lower case
  bool flagged = false;                        // ApiError::flagged
};

struct RetryRules {
  int64_t attempts = 6;
  std::chrono::milliseconds base{1000};
  std::chrono::milliseconds cap{60000};

  // With the model's attempts. The environment variable KB_RETRY_BASE_MS
  // replaces the base: tests set it, so that they need not wait.
  static RetryRules For(int64_t attempts);
};

struct Decision {
  // Absent: no further attempt, and the failure is of `kind`.
  std::optional<std::chrono::milliseconds> wait;
  // A rate limit: no thread should ask before.
  std::optional<std::chrono::milliseconds> everyone;
  Failure::Kind kind = Failure::Kind::kUnavailable;
  std::string message;
};

// What to do after request number `attempt` (from 1). `now` dates Retry-After;
// `random` spreads the waits. Pure but for that.
Decision Decide(const Trouble& trouble, int64_t attempt,
                const RetryRules& rules, std::time_t now,
                base::Sequence* random);

// How long the answer asks us to wait: retry-after-ms, retry-after (seconds or
// a date), or the latest of those x-ratelimit-reset* and
// anthropic-ratelimit-*-reset whose remaining count is 0.
std::optional<std::chrono::milliseconds> AskedWait(
    const std::map<std::string, std::string>& headers, std::time_t now);

// "1m30.5s", "20ms", "7" (seconds), a date of HTTP or RFC 3339, or a Unix time
// in seconds or milliseconds.
std::optional<std::chrono::milliseconds> ParseWait(const std::string& text,
                                                   std::time_t now);

}  // namespace kb::llm
