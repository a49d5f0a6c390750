#include "llm/prices.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string_view>
#include <utility>

#include "base/text.h"
#include "fields.h"
#include "net/http.h"

namespace kb::llm {
namespace {

using base::Fail;
using base::Json;
using base::Result;
using base::Usage;

constexpr double kMillion = 1e6;

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// More for a million tokens is a mistake.
constexpr double kMostUsd = 1e6;

bool IsPrice(double value) { return value >= 0 && value <= kMostUsd; }

// What `json` is, where it is not what `wanted` says.
tl::unexpected<base::Error> Mistake(const std::string& name, const Json& json,
                                    const std::string& wanted) {
  constexpr size_t kShownBytes = 60;
  return Usage("{} is {}; it must be {}", name,
               base::ShortenLine(base::DumpJson(json), kShownBytes), wanted);
}

// The value under `key`, whatever it is.
Result<Json> ValueAt(const Json& json, const char* key) {
  if (!json.contains(key)) return Usage("\"{}\" is missing", key);
  return json.at(key);
}

Result<std::string> NameAt(const Json& json, const char* key) {
  KB_ASSIGN(const Json value, ValueAt(json, key));
  if (!value.is_string())
    return Mistake(fmt::format("\"{}\"", key), value, "text");
  return value.get<std::string>();
}

Result<double> PriceAt(const Json& json, const char* key) {
  KB_ASSIGN(const Json value, ValueAt(json, key));
  if (!value.is_number() || !IsPrice(value.get<double>()))
    return Mistake(fmt::format("\"{}\"", key), value,
                   fmt::format("a number from 0 to {:.0f}", kMostUsd));
  return value.get<double>();
}

Result<Price> PriceFrom(const std::string& id, const Json& json) {
  if (!json.is_object()) return Mistake(id, json, "an object");
  const auto read = [&]() -> Result<Price> {
    Price price;
    KB_ASSIGN(price.input, PriceAt(json, "input"));
    KB_ASSIGN(price.output, PriceAt(json, "output"));
    if (json.contains("cached")) {
      KB_ASSIGN(price.cached, PriceAt(json, "cached"));
    }
    if (json.contains("cache_write")) {
      KB_ASSIGN(price.cache_write, PriceAt(json, "cache_write"));
    }
    return price;
  };
  auto price = read();
  if (!price) return base::Propagate(price.error().Wrap(id));
  return price;
}

Result<std::map<std::string, Price>> PricesFrom(const Json& json) {
  KB_ASSIGN(const Json models, ValueAt(json, "models"));
  if (!models.is_object()) return Mistake("\"models\"", models, "an object");
  std::map<std::string, Price> prices;
  for (const auto& [id, value] : models.items()) {
    KB_ASSIGN(prices[id], PriceFrom(id, value));
  }
  return prices;
}

// "0.00000125" for one token as 1.25 for a million, however much that is;
// absent when it is no price (a router says -1).
std::optional<double> ForMillion(const Json& pricing, const char* key) {
  const std::string text = TextAt(pricing, key);
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (text.empty() || *end != '\0' || !(value >= 0)) return std::nullopt;
  // Without the noise of the decimal places.
  return std::round(value * kMillion * 1e6) / 1e6;
}

std::string Same(const std::string& id) { return id; }

// "claude-opus-4.5" for "claude-opus-4-5-20251101": without a date at the end,
// and with dashes, which vendors and routers use for each other's dots.
std::string Canonical(const std::string& id) {
  std::string name = id;
  for (const char* date : {"-dddddddd", "-dddd-dd-dd"}) {
    const std::string_view form = date;
    if (name.size() <= form.size()) continue;
    const size_t start = name.size() - form.size();
    bool matches = true;
    for (size_t i = 0; i < form.size(); ++i)
      matches = matches && (form[i] == 'd' ? IsDigit(name[start + i])
                                           : name[start + i] == form[i]);
    if (matches) name.resize(start);
  }
  std::replace(name.begin(), name.end(), '.', '-');
  return name;
}

}  // namespace

Result<PriceTable> PriceTable::FromJson(const Json& json) {
  if (!json.is_object()) return Usage("prices: the table must be an object");
  PriceTable table;
  const auto read = [&]() -> Result<void> {
    KB_ASSIGN(table.date_, NameAt(json, "date"));
    KB_ASSIGN(table.source_, NameAt(json, "source"));
    KB_ASSIGN(table.models_, PricesFrom(json));
    return base::Ok();
  };
  if (const auto done = read(); !done)
    return base::Propagate(done.error().Wrap("prices"));
  return table;
}

Result<PriceTable> PriceTable::FromModelsEndpoint(const Json& json,
                                                  std::string date,
                                                  std::string source) {
  const Json& list = At(json, "data");
  if (!list.is_array())
    return Fail("prices: {} has no list \"data\" of models", source);
  PriceTable table;
  table.date_ = std::move(date);
  table.source_ = std::move(source);
  for (const Json& model : list) {
    const std::string id = TextAt(model, "id");
    const Json& pricing = At(model, "pricing");
    const auto input = ForMillion(pricing, "prompt");
    const auto output = ForMillion(pricing, "completion");
    if (id.empty() || !input || !output) continue;
    const Price price{*input, *output, ForMillion(pricing, "input_cache_read"),
                      ForMillion(pricing, "input_cache_write")};
    const bool is_sound = IsPrice(price.input) && IsPrice(price.output) &&
                          IsPrice(price.cached.value_or(0)) &&
                          IsPrice(price.cache_write.value_or(0));
    if (is_sound)
      table.models_[id] = price;
    else
      table.left_out_.push_back(id);
  }
  if (table.models_.empty())
    return Fail("prices: {} names no model with a price", table.source_);
  return table;
}

Json PriceTable::ToJson() const {
  Json models = Json::object();
  for (const auto& [id, price] : models_) {
    Json row{{"input", price.input}, {"output", price.output}};
    if (price.cached) row["cached"] = *price.cached;
    if (price.cache_write) row["cache_write"] = *price.cache_write;
    models[id] = std::move(row);
  }
  return {{"date", date_}, {"source", source_}, {"models", std::move(models)}};
}

std::optional<Price> PriceTable::Find(const std::string& id) const {
  const std::string name = NameOf(id);
  return name.empty() ? std::nullopt : std::optional(models_.at(name));
}

std::string PriceTable::NameOf(const std::string& id) const {
  if (models_.contains(id)) return id;
  // One that is named exactly so goes before one that is so but for its date.
  for (const auto& form : {&Same, &Canonical}) {
    std::string found;
    size_t count = 0;
    for (const auto& [name, price] : models_) {
      const std::string short_name = name.substr(name.find('/') + 1);
      if (form(short_name) != form(id) && form(name) != form(id)) continue;
      found = name;
      ++count;
    }
    if (count == 1) return found;
    if (count > 1) return "";
  }
  return "";
}

double CostOf(const record::Usage& usage, int64_t newly_cached,
              const Price& price) {
  const auto cached = static_cast<double>(usage.cached);
  const auto written = static_cast<double>(newly_cached);
  const double fresh = static_cast<double>(usage.input) - cached - written;
  return (fresh * price.input + cached * price.cached.value_or(price.input) +
          written * price.cache_write.value_or(price.input) +
          static_cast<double>(usage.output) * price.output) /
         kMillion;
}

Result<PriceTable> FetchPrices(const std::string& url, std::string date) {
  net::Request request;
  request.url = url;
  request.idle_timeout = std::chrono::seconds(30);
  request.total_timeout = std::chrono::seconds(120);
  const auto response = net::Send(request, {});
  if (!response) return Fail("prices: {}", response.error().message);
  if (response->status != 200)
    return Fail(
        "prices: {} answers with status {}; give the address of a "
        "models endpoint",
        url, response->status);
  KB_ASSIGN(const Json json, base::ParseJson(response->body, url));
  return PriceTable::FromModelsEndpoint(json, std::move(date), url);
}

}  // namespace kb::llm
