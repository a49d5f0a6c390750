#include "llm/prices.h"

#include <gtest/gtest.h>

#include "os/files.h"

namespace kb::llm {
namespace {

using base::Json;

TEST(Prices, CachedTokensHaveTheirOwnPrice) {
  record::Usage usage;
  usage.input = 1000000;
  usage.cached = 400000;
  usage.output = 500000;
  const Price price{2, 10, 0.5, std::nullopt};
  EXPECT_DOUBLE_EQ(CostOf(usage, 0, price), 0.6 * 2 + 0.4 * 0.5 + 5);
  EXPECT_DOUBLE_EQ(CostOf(usage, 0, Price{2, 10, {}, {}}), 2 + 5);
}

TEST(Prices, TokensThatWereWrittenToACacheHaveTheirOwnPrice) {
  record::Usage usage;
  usage.input = 1000000;
  usage.cached = 400000;
  const Price price{2, 10, 0.5, 2.5};
  EXPECT_DOUBLE_EQ(CostOf(usage, 100000, price),
                   0.5 * 2 + 0.4 * 0.5 + 0.1 * 2.5);
  EXPECT_DOUBLE_EQ(CostOf(usage, 100000, Price{2, 10, 0.5, {}}),
                   0.6 * 2 + 0.4 * 0.5);
}

TEST(Prices, FoundByTheWholeIdOrByTheNameOfOneVendor) {
  const auto table = PriceTable::FromJson(
      {{"date", "2026-01-01"},
       {"source", "test"},
       {"models",
        {{"a/one", {{"input", 1}, {"output", 2}}},
         {"b/two", {{"input", 3}, {"output", 4}, {"cached", 0.5}}},
         {"c/two", {{"input", 5}, {"output", 6}}}}}});
  ASSERT_TRUE(table) << table.error().message();
  EXPECT_EQ(table->Find("one"), (Price{1, 2, {}, {}}));
  EXPECT_EQ(table->Find("b/two"), (Price{3, 4, 0.5, {}}));
  EXPECT_EQ(table->Find("two"), std::nullopt);
  EXPECT_EQ(table->Find("three"), std::nullopt);
}

TEST(Prices, DatedNameOfTheVendorIsFound) {
  const auto table = PriceTable::FromJson(
      {{"date", "2026-01-01"},
       {"source", "test"},
       {"models", {{"a/name-4.5", {{"input", 1}, {"output", 2}}}}}});
  ASSERT_TRUE(table);
  const Price price{1, 2, {}, {}};
  EXPECT_EQ(table->Find("name-4-5-20251101"), price);
  EXPECT_EQ(table->Find("name-4.5-2025-11-01"), price);
  EXPECT_EQ(table->Find("a/name-4-5"), price);
  EXPECT_EQ(table->Find("name-4"), std::nullopt);
}

TEST(Prices, TableIsWrittenAsItWasRead) {
  const Json json{{"date", "2026-01-01"},
                  {"source", "test"},
                  {"models",
                   {{"a/b",
                     {{"input", 1.25},
                      {"output", 10.0},
                      {"cached", 0.5},
                      {"cache_write", 1.5}}}}}};
  const auto table = PriceTable::FromJson(json);
  ASSERT_TRUE(table);
  EXPECT_EQ(table->ToJson(), json);
}

TEST(Prices, NegativePriceIsAnError) {
  const auto table = PriceTable::FromJson(
      {{"date", "d"},
       {"source", "s"},
       {"models", {{"a/b", {{"input", -1}, {"output", 1}}}}}});
  ASSERT_FALSE(table);
  EXPECT_NE(table.error().message().find("a/b"), std::string::npos);
}

TEST(Prices, WrongTypesAreNamedWithTheirModelAndField) {
  const std::pair<const char*, const char*> mistakes[] = {
      {"[]", "prices: the table must be an object"},
      {R"({"source":"s","models":{}})", "prices: \"date\" is missing"},
      {R"({"date":1,"source":"s","models":{}})",
       "prices: \"date\" is 1; it must be text"},
      {R"({"date":"d","source":"s","models":[1]})",
       "prices: \"models\" is [1]; it must be an object"},
      {R"({"date":"d","source":"s","models":{"a/b":3}})",
       "prices: a/b is 3; it must be an object"},
      {R"({"date":"d","source":"s","models":{"a/b":{"input":"2","output":1}}})",
       "prices: a/b: \"input\" is \"2\"; it must be a number from 0 to"},
      {R"({"date":"d","source":"s","models":{"a/b":{"input":2}}})",
       "prices: a/b: \"output\" is missing"},
      {R"({"date":"d","source":"s","models":{"a/b":)"
       R"({"input":2,"output":1,"cached":null}}})",
       "prices: a/b: \"cached\" is null"},
  };
  for (const auto& [text, part] : mistakes) {
    const auto table = PriceTable::FromJson(*base::ParseJson(text, "t"));
    ASSERT_FALSE(table) << text;
    EXPECT_NE(table.error().message().find(part), std::string::npos)
        << table.error().message();
  }
}

TEST(Prices, ModelsEndpointCountsSingleTokens) {
  const auto json = base::ParseJson(
      R"({"data": [
        {"id": "openai/gpt-5", "pricing": {"prompt": "0.00000125",
         "completion": "0.00001", "input_cache_read": "0.000000125",
         "input_cache_write": "0.0000015"}},
        {"id": "router/auto", "pricing": {"prompt": "-1", "completion": "-1"}},
        {"id": "broken", "pricing": {"prompt": 1}},
        {"id": "a/b", "pricing": {"prompt": "0.0000006",
         "completion": "0.0000025"}}]})",
      "test");
  const auto table =
      PriceTable::FromModelsEndpoint(*json, "2026-01-01", "test");
  ASSERT_TRUE(table) << table.error().message();
  EXPECT_EQ(table->size(), 2u);
  EXPECT_EQ(table->Find("gpt-5"), (Price{1.25, 10, 0.125, 1.5}));
  EXPECT_EQ(table->Find("a/b"), (Price{0.6, 2.5, {}, {}}));
}

TEST(Prices, PriceThatCannotBeIsLeftOutOfTheTable) {
  const auto json = base::ParseJson(
      R"({"data": [
        {"id": "a/dear", "pricing": {"prompt": "2", "completion": "0"}},
        {"id": "b/dear", "pricing": {"prompt": "0", "completion": "0",
         "input_cache_read": "1.5"}},
        {"id": "router/auto", "pricing": {"prompt": "-1", "completion": "-1"}},
        {"id": "a/b", "pricing": {"prompt": "1", "completion": "0.1"}}]})",
      "test");
  const auto table =
      PriceTable::FromModelsEndpoint(*json, "2026-01-01", "test");
  ASSERT_TRUE(table) << table.error().message();
  EXPECT_EQ(table->left_out(), (std::vector<std::string>{"a/dear", "b/dear"}));
  const auto read = PriceTable::FromJson(table->ToJson());
  ASSERT_TRUE(read) << read.error().message();
  EXPECT_EQ(read->size(), 1u);
}

TEST(Prices, ShippedTableIsSound) {
  const auto text = os::ReadFile(KB_SOURCE_DIR "/share/prices.json");
  ASSERT_TRUE(text) << text.error().message();
  const auto json = base::ParseJson(*text, "prices.json");
  ASSERT_TRUE(json) << json.error().message();
  const auto table = PriceTable::FromJson(*json);
  ASSERT_TRUE(table) << table.error().message();
  EXPECT_GE(table->size(), 30u);
  for (const auto& [id, price] : json->at("models").items()) {
    EXPECT_NE(id.find('/'), std::string::npos) << id;
    EXPECT_LE(price.at("input"), price.at("output")) << id;
  }
}

}  // namespace
}  // namespace kb::llm
