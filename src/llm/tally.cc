#include "tally.h"

#include <fmt/format.h>

#include "base/text.h"
#include "fields.h"

namespace kb::llm {
namespace {

using base::Json;

// No model reads or writes as much for one answer, and none costs as much.
constexpr uint64_t kMostTokens = 1000000000;
constexpr double kMostUsd = 10000;

std::string Shown(const Json& json) {
  constexpr size_t kShownBytes = 60;
  return base::ShortenLine(base::Printable(base::DumpJson(json)), kShownBytes);
}

}  // namespace

std::optional<int64_t> Tally::Count(const Json& json, const char* key) {
  const Json& value = At(json, key);
  if (value.is_null()) return std::nullopt;
  // Numbers that are not negative are unsigned as they are parsed.
  if (value.is_number_unsigned() && value.get<uint64_t>() <= kMostTokens)
    return value.get<int64_t>();
  if (mistake_.empty())
    mistake_ =
        fmt::format("{} is {}; that is no count of tokens", key, Shown(value));
  return std::nullopt;
}

std::string Tally::Mistake() const {
  if (!mistake_.empty() || !input || !output) return mistake_;
  if (cached + newly_cached > *input)
    return fmt::format(
        "{} cached and {} newly cached tokens are more than the {} of the "
        "input",
        cached, newly_cached, *input);
  if (reasoning > *output)
    return fmt::format("{} reasoning tokens are more than the {} of the output",
                       reasoning, *output);
  return "";
}

void Tally::Settle(Reply* reply) const {
  reply->usage_mistake = Mistake();
  reply->usage.reset();
  if (!reply->usage_mistake.empty() || !input || !output) return;
  reply->usage = record::Usage{*input, cached, *output, reasoning};
  reply->newly_cached = newly_cached;
}

std::optional<double> UsdAt(const Json& json, const char* key, Reply* reply) {
  const Json& value = At(json, key);
  if (value.is_null()) return std::nullopt;
  if (value.is_number() && value.get<double>() >= 0 &&
      value.get<double>() <= kMostUsd)
    return value.get<double>();
  reply->usage_mistake =
      fmt::format("{} is {}; no answer costs that", key, Shown(value));
  return std::nullopt;
}

}  // namespace kb::llm
