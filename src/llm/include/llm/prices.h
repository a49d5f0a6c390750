#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "record/generation.h"

namespace kb::llm {

// USD for a million tokens.
struct Price {
  double input = 0;
  double output = 0;
  std::optional<double> cached;       // absent: as input
  std::optional<double> cache_write;  // absent: as input
  bool operator==(const Price&) const = default;
};

// share/prices.json: {"date": "2026-11-01", "source": "...", "models":
// {"vendor/name": {"input": 1.25, "output": 10, "cached": 0.125,
// "cache_write": 1.5}}}
class PriceTable {
 public:
  static base::Result<PriceTable> FromJson(const base::Json& json);
  // The answer of a models endpoint in OpenRouter's format (USD for one token,
  // as strings: data[].id,
  // data[].pricing.{prompt,completion,input_cache_read,
  // input_cache_write}). A model whose price cannot be is left out.
  static base::Result<PriceTable> FromModelsEndpoint(const base::Json& json,
                                                     std::string date,
                                                     std::string source);
  base::Json ToJson() const;

  // By whole id, else by the part after the vendor when only one has it; then
  // so without a date at its end and with dots and dashes alike, because
  // "claude-opus-4-5-20251101" is elsewhere "anthropic/claude-opus-4.5".
  std::optional<Price> Find(const std::string& id) const;
  // The name that it has in the table; "" where Find finds none.
  std::string NameOf(const std::string& id) const;
  const std::string& date() const { return date_; }
  size_t size() const { return models_.size(); }
  const std::map<std::string, Price>& models() const { return models_; }
  // Ids of an endpoint's models whose price is more than any can be.
  const std::vector<std::string>& left_out() const { return left_out_; }

 private:
  std::string date_;
  std::string source_;
  std::map<std::string, Price> models_;
  std::vector<std::string> left_out_;
};

// What the tokens cost in USD. `newly_cached` of the input, besides those that
// `usage` has as cached, were written to a cache.
double CostOf(const record::Usage& usage, int64_t newly_cached,
              const Price& price);

// Fetches a models endpoint and makes a table of it.
base::Result<PriceTable> FetchPrices(const std::string& url, std::string date);

}  // namespace kb::llm
