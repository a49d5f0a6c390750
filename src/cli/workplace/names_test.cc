#include "workplace/names.h"

#include <gtest/gtest.h>

namespace kb::workplace {
namespace {

using Names = std::vector<std::string>;

TEST(Names, OfFlagsAreWithoutTheirReasonsAndInTheirOrder) {
  const std::vector<record::Flag> flags{{"zero_passes", "all outputs are 0"},
                                        {"constant_output", "why"}};
  EXPECT_EQ(NamesOf(flags), (Names{"zero_passes", "constant_output"}));
  EXPECT_EQ(NamesOf(std::vector<record::Flag>()), Names());
}

TEST(Names, OfPrecisionsAreThoseOfTheCommandLine) {
  const std::vector<record::Precision> precisions{record::Precision::kBf16,
                                                  record::Precision::kFp32};
  EXPECT_EQ(NamesOf(precisions), (Names{"bf16", "fp32"}));
}

TEST(Names, OfAVerdictSayWhenThereIsNone) {
  EXPECT_STREQ(NameOf(record::Verdict::kOutOfMemory), "out_of_memory");
  EXPECT_STREQ(NameOf(std::nullopt), "not_run");
}

}  // namespace
}  // namespace kb::workplace
