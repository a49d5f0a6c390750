#include "fields.h"

#include <array>
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
    return ApiError{StatusOf(error).value_or(fallback), std::move(message)};
  }
  // FastAPI servers and Mistral.
  for (const char* key : {"message", "detail"})
    if (const std::string text = TextAt(body, key); !text.empty())
      return ApiError{fallback, text};
  return std::nullopt;
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
