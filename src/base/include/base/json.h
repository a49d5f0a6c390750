#pragma once

#include <concepts>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/result.h"

namespace kb::base {

// Keeps the order of keys, so that what we print reads as we wrote it.
using Json = nlohmann::ordered_json;

// Parses text that may come from anywhere. Never throws; an Error, too, when
// the value has more than kMaxJsonDepth levels (base/nesting.h).
Result<Json> ParseJson(std::string_view text, const std::string& what);

// One line; bytes that are not UTF-8 are replaced, so it never throws.
std::string DumpJson(const Json& json, int indent = -1);

// Whether a number is a whole one that T can hold; get<T>() would cut it.
template <std::integral T>
bool Fits(const Json& json) {
  if (json.is_number_unsigned()) return std::in_range<T>(json.get<uint64_t>());
  return json.is_number_integer() && std::in_range<T>(json.get<int64_t>());
}

template <typename T>
struct IsVectorOfIntegers : std::false_type {};
template <std::integral T>
struct IsVectorOfIntegers<std::vector<T>> : std::true_type {};

// json[key] as T, or an Error that names the key. T: bool, int64_t, double,
// std::string, lists of those, or Json for anything.
template <typename T>
Result<T> Get(const Json& json, const char* key) {
  if (!json.is_object() || !json.contains(key))
    return Fail("missing field \"{}\"", key);
  const Json& value = json.at(key);
  bool fits = true;
  if constexpr (std::integral<T> && !std::is_same_v<T, bool>)
    fits = Fits<T>(value);
  if constexpr (IsVectorOfIntegers<T>::value)
    for (const Json& item : value)
      fits = fits && Fits<typename T::value_type>(item);
  if (!fits)
    return Fail("field \"{}\": {} is no whole number in range", key,
                DumpJson(value));
  try {
    return value.get<T>();
  } catch (const nlohmann::json::exception& e) {
    return Fail("field \"{}\": {}", key, e.what());
  }
}

}  // namespace kb::base
