#include "search/approach.h"

#include <gtest/gtest.h>

namespace kb::search {
namespace {

using Words = std::vector<std::string>;

TEST(ApproachTest, IsToldFromWordsOfTheProgram) {
  EXPECT_EQ(ApproachesOf("__shared__ float tile[32];\n"
                         "float4 v = x[i];\n#pragma unroll\n"),
            (Words{"blocks of a matrix", "shared memory", "unrolled loops",
                   "vector loads"}));
  EXPECT_EQ(ApproachesOf("y[i] = x[i];"), Words{});
}

TEST(ApproachTest, CommentsAreNotLookedAt) {
  EXPECT_EQ(ApproachesOf("// float4 would be faster\ny = x; /* __shared__ */"),
            Words{});
  EXPECT_EQ(ApproachesOf("# tl.dot is for later\n@triton.jit\n"),
            Words{"Triton"});
  EXPECT_EQ(ApproachesOf("y = x; /* __shared__ to the end"), Words{});
}

}  // namespace
}  // namespace kb::search
