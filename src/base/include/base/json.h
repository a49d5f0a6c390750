#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "base/result.h"

namespace kb::base {

// Keeps the order of keys, so that what we print reads as we wrote it.
using Json = nlohmann::ordered_json;

// Parses text that may come from anywhere. Never throws; an Error, too, when
// the value has more than kMaxJsonDepth levels (base/nesting.h).
Result<Json> ParseJson(std::string_view text, const std::string& what);

// One line; bytes that are not UTF-8 are replaced, so it never throws.
std::string DumpJson(const Json& json, int indent = -1);

// json[key] as T, or an Error that names the key. T: bool, int64_t, double,
// std::string, or Json for anything.
template <typename T>
Result<T> Get(const Json& json, const char* key) {
  if (!json.is_object() || !json.contains(key))
    return Fail("missing field \"{}\"", key);
  try {
    return json.at(key).get<T>();
  } catch (const nlohmann::json::exception& e) {
    return Fail("field \"{}\": {}", key, e.what());
  }
}

}  // namespace kb::base
