#pragma once

#include <map>
#include <string>

#include "base/json.h"
#include "dialect.h"
#include "net/http.h"

namespace kb::llm {

// Lenient access to foreign JSON: what is absent or of another type is the
// fallback.

// The value below, null when there is none. Lives as long as `json`.
const base::Json& At(const base::Json& json, const char* key);
// The first element of the list under `key`, null when there is none.
const base::Json& First(const base::Json& json, const char* key);
std::string TextAt(const base::Json& json, const char* key);

// What an error object of any of the APIs says; `fallback` is its status when
// it does not say one. Absent when `json` holds no error.
std::optional<ApiError> ErrorIn(const base::Json& json, int fallback);

// The JSON of an event. A character that is cut into two escapes, "\ud83d" at
// the end of a text here and "\ude00" in a later event, becomes whole there.
base::Result<base::Json> EventJson(const Event& event, Draft* draft);

// A POST of `body`, with the further fields of models.toml merged into it.
net::Request Post(std::string url, base::Json body,
                  const std::map<std::string, std::string>& extra);

}  // namespace kb::llm
