#include "run_estimate.h"

#include <gtest/gtest.h>

namespace kb::cli {
namespace {

Questions Hundred() {
  Questions questions;
  questions.count = 100;
  questions.bytes = 4'000'000;  // about a million tokens
  return questions;
}

TEST(Estimate, IsByThePriceOfTokens) {
  const std::string text =
      Estimate(Hundred(), "m", llm::Price{2, 10, std::nullopt, std::nullopt});
  EXPECT_NE(text.find("ask m 100 questions"), std::string::npos) << text;
  EXPECT_NE(text.find("about 2.00 USD"), std::string::npos) << text;
  EXPECT_NE(text.find("1.00 USD for each 1000"), std::string::npos) << text;
  EXPECT_EQ(text.find("in all"), std::string::npos) << text;
}

TEST(Estimate, AnswersThatAreThereSayHowLongTheyGet) {
  Questions questions = Hundred();
  questions.output_tokens = 3000;
  const std::string text =
      Estimate(questions, "m", llm::Price{2, 10, std::nullopt, std::nullopt});
  EXPECT_NE(text.find("in all about 5.00 USD"), std::string::npos) << text;
}

TEST(Estimate, WithoutAPriceSaysSo) {
  EXPECT_NE(Estimate(Hundred(), "m", std::nullopt).find("not known"),
            std::string::npos);
}

}  // namespace
}  // namespace kb::cli
