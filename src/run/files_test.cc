#include "run/files.h"

#include <gtest/gtest.h>

namespace kb::run {
namespace {

TEST(StoreName, VersionsOfAModelHaveStoresOfTheirOwn) {
  EXPECT_EQ(StoreNameOf("gpt-5"), "gpt-5");
  EXPECT_EQ(StoreNameOf("gpt-5.1"), "gpt-5.1");
  EXPECT_EQ(StoreNameOf("openai:gpt-5.1"), "openai-gpt-5.1");
  EXPECT_EQ(StoreNameOf("openrouter:z-ai/glm-4.6"), "openrouter-z-ai-glm-4.6");
}

TEST(StoreName, AReplayIsNamedAfterWhatIsReplayed) {
  EXPECT_EQ(StoreNameOf("replay:answers"), "replay-answers");
  EXPECT_EQ(StoreNameOf("replay:answers/"), "replay-answers");
  EXPECT_EQ(StoreNameOf("replay:/data/v1.2/"), "replay-v1.2");
  EXPECT_EQ(StoreNameOf("replay:old/run.db"), "replay-run");
}

}  // namespace
}  // namespace kb::run
