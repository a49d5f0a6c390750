#include "retry.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <string_view>

#include "base/text.h"

namespace kb::llm {
namespace {

using std::chrono::milliseconds;

// Whoever asks for more will not answer in this run.
constexpr milliseconds kLongestWait{15 * 60 * 1000};

std::optional<double> ParseNumber(std::string_view text) {
  double number = 0;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() ||
      !std::isfinite(number) || number < 0)
    return std::nullopt;
  return number;
}

milliseconds Milliseconds(double count) {
  return milliseconds(static_cast<int64_t>(std::ceil(std::min(count, 1e12))));
}

// "6m0s", "1.5s", "20ms", "1h".
std::optional<milliseconds> ParseDuration(std::string_view text) {
  double total = 0;
  while (!text.empty()) {
    const size_t end = text.find_first_not_of("0123456789.");
    if (end == std::string_view::npos) return std::nullopt;
    const auto number = ParseNumber(text.substr(0, end));
    if (!number) return std::nullopt;
    text.remove_prefix(end);
    const size_t next = std::min(text.find_first_of("0123456789"), text.size());
    const std::string_view unit = text.substr(0, next);
    if (unit == "ms")
      total += *number;
    else if (unit == "s")
      total += *number * 1e3;
    else if (unit == "m")
      total += *number * 60e3;
    else if (unit == "h")
      total += *number * 3600e3;
    else if (unit == "d")
      total += *number * 86400e3;
    else
      return std::nullopt;
    text.remove_prefix(next);
  }
  return Milliseconds(total);
}

std::optional<std::time_t> ParseDate(const std::string& text) {
  for (const char* form : {"%a, %d %b %Y %H:%M:%S", "%Y-%m-%dT%H:%M:%S"}) {
    std::tm parts{};
    if (::strptime(text.c_str(), form, &parts) != nullptr)
      return ::timegm(&parts);
  }
  return std::nullopt;
}

std::string ValueOf(const std::map<std::string, std::string>& headers,
                    const std::string& name) {
  const auto found = headers.find(name);
  return found == headers.end() ? "" : found->second;
}

bool Retried(int status) {
  return status == 408 || status == 409 || status == 425 || status == 429 ||
         status >= 500;
}

// What a person can do about a status that no waiting changes.
const char* Advice(int status) {
  switch (status) {
    case 401:
      return "the key is not accepted; check key_env or key_file of the model "
             "(docs/models.md)";
    case 402:
      return "the account has no credit; add some with the provider";
    case 403:
      return "the key may not use this model; ask the provider for access or "
             "take another key";
    case 404:
      return "there is no such model or address; check `model` and `base_url`";
    default:
      return "the provider refuses the request; check the model's settings";
  }
}

Decision GiveUp(Failure::Kind kind, std::string message) {
  Decision decision;
  decision.kind = kind;
  decision.message = std::move(message);
  return decision;
}

std::optional<Decision> Final(const Trouble& trouble) {
  using Kind = Trouble::Kind;
  if (trouble.kind == Kind::kCancelled)
    return GiveUp(Failure::Kind::kCancelled, "cancelled");
  if (trouble.kind == Kind::kFatal)
    return GiveUp(Failure::Kind::kFatal, trouble.message);
  if (trouble.kind == Kind::kTooLarge)
    return GiveUp(Failure::Kind::kUnusable, trouble.message);
  if (trouble.kind != Kind::kStatus || Retried(trouble.status))
    return std::nullopt;
  const int status = trouble.status;
  const bool flagged = status == 403 && trouble.flagged;
  const bool fatal = status >= 401 && status <= 405 && !flagged;
  return GiveUp(
      fatal ? Failure::Kind::kFatal : Failure::Kind::kRejected,
      fmt::format("status {}: {}: {}", status, trouble.message,
                  flagged ? "moderation refuses this prompt" : Advice(status)));
}

// Doubles up to the cap; a quarter more or less, so that threads that failed
// together do not come back together.
milliseconds Backoff(int64_t attempt, const RetryRules& rules,
                     base::Sequence* random) {
  const auto shift = std::min<int64_t>(attempt - 1, 20);
  const milliseconds full =
      std::min(rules.base * (int64_t{1} << shift), rules.cap);
  const double spread =
      0.75 + static_cast<double>(random->Below(1001)) / 2000.0;
  return Milliseconds(static_cast<double>(full.count()) * spread);
}

std::string What(const Trouble& trouble) {
  return trouble.kind == Trouble::Kind::kStatus
             ? fmt::format("status {}: {}", trouble.status, trouble.message)
             : trouble.message;
}

}  // namespace

RetryRules RetryRules::For(int64_t attempts) {
  RetryRules rules;
  rules.attempts = attempts;
  if (const char* text = std::getenv("KB_RETRY_BASE_MS"))
    if (const auto base = ParseNumber(text))
      rules.base = std::min(Milliseconds(*base), rules.cap);
  return rules;
}

std::optional<milliseconds> ParseWait(const std::string& text,
                                      std::time_t now) {
  if (text.empty()) return std::nullopt;
  std::optional<double> until;
  if (const auto number = ParseNumber(text)) {
    // A Unix time since 2001, in milliseconds or in seconds.
    constexpr double kFirstTime = 1e9;
    if (*number < kFirstTime) return Milliseconds(*number * 1e3);
    until = *number < kFirstTime * 100 ? *number * 1e3 : *number;
  } else if (const auto date = ParseDate(text)) {
    until = static_cast<double>(*date) * 1e3;
  } else {
    return ParseDuration(text);
  }
  return Milliseconds(std::max(0.0, *until - static_cast<double>(now) * 1e3));
}

std::optional<milliseconds> AskedWait(
    const std::map<std::string, std::string>& headers, std::time_t now) {
  if (const auto exact = ParseNumber(ValueOf(headers, "retry-after-ms")))
    return Milliseconds(*exact);
  if (auto wait = ParseWait(ValueOf(headers, "retry-after"), now)) return wait;
  std::optional<milliseconds> longest;
  for (const auto& [name, value] : headers) {
    // x-ratelimit-remaining-tokens and anthropic-ratelimit-tokens-remaining.
    const size_t at = name.find("remaining");
    if (name.find("ratelimit") == std::string::npos ||
        at == std::string::npos || ParseNumber(value) != 0.0)
      continue;
    std::string reset = name;
    reset.replace(at, std::string_view("remaining").size(), "reset");
    const auto wait = ParseWait(ValueOf(headers, reset), now);
    if (wait && (!longest || *wait > *longest)) longest = wait;
  }
  return longest;
}

Decision Decide(const Trouble& trouble, int64_t attempt,
                const RetryRules& rules, std::time_t now,
                base::Sequence* random) {
  if (auto final = Final(trouble)) return *final;
  const bool malformed = trouble.kind == Trouble::Kind::kMalformed;
  const auto kind =
      malformed ? Failure::Kind::kUnusable : Failure::Kind::kUnavailable;
  if (attempt >= rules.attempts)
    return GiveUp(kind, fmt::format("{} (tried {} time{})", What(trouble),
                                    attempt, attempt == 1 ? "" : "s"));
  const auto asked = AskedWait(trouble.headers, now);
  if (asked && *asked > kLongestWait)
    return GiveUp(kind, fmt::format("{}; it asks to wait {} s", What(trouble),
                                    asked->count() / 1000));
  Decision decision;
  decision.kind = kind;
  decision.message = What(trouble);
  const milliseconds backoff = Backoff(attempt, rules, random);
  // A little later than asked, each thread at its own time.
  const milliseconds until =
      asked ? *asked + std::min(backoff, milliseconds(1000)) / 2 : backoff;
  // Who always asks for no time at all must not use up the attempts.
  decision.wait = std::max(until, backoff);
  if (trouble.status == 429 || asked) decision.everyone = until;
  return decision;
}

}  // namespace kb::llm
