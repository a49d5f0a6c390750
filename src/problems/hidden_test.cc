#include "hidden.h"

#include <gtest/gtest.h>

namespace kb::problems {
namespace {

using Names = std::vector<std::string>;

std::string With(const std::string& model, const std::string& init = "[]") {
  return "import torch\n\nclass Model(torch.nn.Module):\n" + model +
         "\n\n# batch_size rows\nbatch_size = 61\ndim = 32\n\n"
         "def get_inputs():\n    return [torch.rand(batch_size, dim)]\n\n"
         "def get_init_inputs():\n    return " +
         init + "\n";
}

const std::string kPlain =
    "    \"\"\"Rows of x are batch_size many.\"\"\"\n"
    "    def forward(self, x):\n        return x  # batch_size rows";

TEST(Hidden, ABatchThatInputsAloneUseIsHidden) {
  EXPECT_EQ(HiddenByRule(With(kPlain)), Names{"batch_size"});
}

TEST(Hidden, WhatTheModelOrItsConstructorUsesIsNot) {
  EXPECT_EQ(HiddenByRule(With("    def forward(self, x):\n"
                              "        return x.view(batch_size, -1)")),
            Names{});
  EXPECT_EQ(HiddenByRule(With(kPlain, "[batch_size]")), Names{});
  EXPECT_EQ(HiddenByRule(With(kPlain) + "rows = 2 * batch_size\n"), Names{});
  EXPECT_EQ(HiddenByRule("def get_inputs():\n    return [1]\n"), Names{});
}

TEST(Hidden, TheSizeIsASixteenthAndOneLarger) {
  const auto hidden = HiddenSizeOf(With(kPlain), {"batch_size", "dim"});
  ASSERT_TRUE(hidden) << hidden.error().message();
  EXPECT_EQ(hidden->name, "batch_size = 65, dim = 35");
  EXPECT_NE(hidden->source.find("\nbatch_size = 65\ndim = 35\n"),
            std::string::npos);
  EXPECT_FALSE(HiddenSizeOf(With(kPlain), {"rows"}));
}

}  // namespace
}  // namespace kb::problems
