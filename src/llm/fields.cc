#include "fields.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

namespace kb::llm {
namespace {

using base::Json;

const Json kNull;

struct ErrorWord {
  std::string_view word;
  int status;
};
// `type` or `code` of an error, by the status that the API documents for it.
constexpr std::array kErrorWords{
    ErrorWord{"invalid_request_error", 400},
    ErrorWord{"context_length_exceeded", 400},
    ErrorWord{"authentication_error", 401},
    ErrorWord{"invalid_api_key", 401},
    ErrorWord{"billing_error", 402},
    ErrorWord{"insufficient_quota", 402},
    ErrorWord{"permission_error", 403},
    ErrorWord{"not_found_error", 404},
    ErrorWord{"model_not_found", 404},
    ErrorWord{"request_too_large", 413},
    ErrorWord{"rate_limit_error", 429},
    ErrorWord{"rate_limit_exceeded", 429},
    ErrorWord{"api_error", 500},
    ErrorWord{"server_error", 500},
    ErrorWord{"overloaded_error", 529},
};

std::optional<int> StatusOf(const Json& error) {
  for (const char* key : {"code", "type"}) {
    const Json& value = At(error, key);
    if (value.is_number_integer()) {
      const auto number = value.get<int64_t>();
      if (number >= 400 && number < 600) return static_cast<int>(number);
    }
    if (!value.is_string()) continue;
    const auto word = value.get<std::string>();
    for (const ErrorWord& row : kErrorWords)
      if (word == row.word) return row.status;
  }
  return std::nullopt;
}

// As OpenRouter says with a 403 that it is about the prompt.
bool IsFlagged(const Json& error) {
  const Json& about = At(error, "metadata");
  return At(about, "reasons").is_array() ||
         At(about, "flagged_input").is_string();
}

constexpr size_t kEscapeBytes = 6;  // "\ud83d"

// A character beyond 16 bits is two escapes, a high and a low one.
enum class Escape { kNone, kHigh, kLow, kOther };

Escape EscapeAt(std::string_view text, size_t at) {
  const std::string_view escape = text.substr(at, kEscapeBytes);
  uint32_t unit = 0;
  if (!escape.starts_with("\\u") || escape.size() < kEscapeBytes)
    return Escape::kNone;
  const auto [end, error] = std::from_chars(
      escape.data() + 2, escape.data() + kEscapeBytes, unit, 16);
  if (error != std::errc() || end != escape.data() + kEscapeBytes)
    return Escape::kNone;
  if (unit >= 0xd800 && unit < 0xdc00) return Escape::kHigh;
  if (unit >= 0xdc00 && unit < 0xe000) return Escape::kLow;
  return Escape::kOther;
}

// `text` without the first half of a character that ends one of its strings,
// which becomes `half`; the `half` of before goes where its rest is. One event
// may say the same in two of its fields.
std::string JoinHalves(std::string_view text, std::string* half) {
  std::string joined;
  std::string next;
  bool is_joined = false;
  size_t at = 0;
  for (size_t found = text.find('\\'); found != std::string_view::npos;
       found = text.find('\\', at)) {
    joined += text.substr(at, found - at);
    at = found;
    const Escape escape = EscapeAt(text, at);
    size_t size = escape == Escape::kNone ? 2 : kEscapeBytes;
    const std::string_view rest = text.substr(std::min(at + size, text.size()));
    if (escape == Escape::kHigh && rest.starts_with('"')) {
      next = text.substr(at, size);
      at += size;
      continue;
    }
    if (escape == Escape::kHigh && EscapeAt(rest, 0) == Escape::kLow)
      size += kEscapeBytes;
    if (escape == Escape::kLow) {
      joined += *half;
      is_joined = true;
    }
    joined += text.substr(at, size);
    at = std::min(at + size, text.size());
  }
  if (is_joined || !next.empty()) *half = std::move(next);
  return joined.append(text.substr(at));
}

}  // namespace

const Json& At(const Json& json, const char* key) {
  if (!json.is_object()) return kNull;
  const auto found = json.find(key);
  return found == json.end() ? kNull : *found;
}

const Json& First(const Json& json, const char* key) {
  const Json& list = At(json, key);
  return list.is_array() && !list.empty() ? list.front() : kNull;
}

std::string TextAt(const Json& json, const char* key) {
  const Json& value = At(json, key);
  return value.is_string() ? value.get<std::string>() : "";
}

std::optional<ApiError> ErrorIn(const Json& json, int fallback) {
  const Json& body = json.is_array() && !json.empty() ? json.front() : json;
  const Json& error = At(body, "error");
  if (error.is_string()) return ApiError{fallback, error.get<std::string>()};
  if (error.is_object()) {
    std::string message = TextAt(error, "message");
    if (message.empty()) message = base::DumpJson(error);
    return ApiError{StatusOf(error).value_or(fallback), std::move(message),
                    IsFlagged(error)};
  }
  // FastAPI servers and Mistral.
  for (const char* key : {"message", "detail"})
    if (const std::string text = TextAt(body, key); !text.empty())
      return ApiError{fallback, text};
  return std::nullopt;
}

base::Result<Json> EventJson(const Event& event, Draft* draft) {
  return base::ParseJson(JoinHalves(event.data, &draft->half), "an event");
}

net::Request Post(std::string url, Json body,
                  const std::map<std::string, std::string>& extra) {
  for (const auto& [field, text] : extra)
    if (auto value = base::ParseJson(text, field))
      body.update(Json{{field, std::move(*value)}}, true);
  net::Request request;
  request.method = "POST";
  request.url = std::move(url);
  request.headers = {{"Content-Type", "application/json"}};
  request.body = base::DumpJson(body);
  return request;
}

}  // namespace kb::llm
