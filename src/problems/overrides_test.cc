#include "problems/overrides.h"

#include <gtest/gtest.h>

namespace kb::problems {
namespace {

std::string With(const std::string& source,
                 const std::map<std::string, int64_t>& values) {
  const auto result = ApplyOverrides(source, values);
  EXPECT_TRUE(result) << result.error().message();
  return result.value_or("");
}

std::string Failure(const std::string& source, const std::string& name) {
  const auto result = ApplyOverrides(source, {{name, 1}});
  EXPECT_FALSE(result) << *result;
  return result ? "" : result.error().message();
}

bool Contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(Overrides, ValueIsReplacedAndNothingElse) {
  EXPECT_EQ(With("N = 4096\n", {{"N", 61}}), "N = 61\n");
  EXPECT_EQ(With("N=2048 * 2  # square\nM = 3\n", {{"N", 61}}),
            "N=61  # square\nM = 3\n");
  EXPECT_EQ(With("N: int = (4 + 1)", {{"N", -1}}), "N: int = -1");
  EXPECT_EQ(With("N = 1\r\nM = 2\r\n", {{"N", 61}}), "N = 61\r\nM = 2\r\n");
  EXPECT_EQ(With("N = f(a=1, b=[2])\n", {{"N", 7}}), "N = 7\n");
}

TEST(Overrides, SeveralConstantsAtOnce) {
  EXPECT_EQ(With("a = 1\nbatch = 10  # b\nc = 100\n", {{"a", 12345}, {"c", 2}}),
            "a = 12345\nbatch = 10  # b\nc = 2\n");
}

TEST(Overrides, NothingToReplaceLeavesTheSource) {
  EXPECT_EQ(With("N = 4096\n", {}), "N = 4096\n");
}

TEST(Overrides, OtherPlacesOfTheNameAreLeftAlone) {
  const std::string before =
      "\"\"\"\nN = 1\n\"\"\"\n# N = 2\nclass Model:\n    N = 3\n"
      "f(\nN = 4\n)\nNN = 5\nx = \\\nN == 6\n";
  EXPECT_EQ(With(before + "N = 7\n", {{"N", 61}}), before + "N = 61\n");
}

TEST(Overrides, UnknownConstantIsNamedWithThoseThatExist) {
  const std::string message = Failure("M = 1\nbatch_size = 2\n", "N");
  EXPECT_TRUE(Contains(message, "constant N ")) << message;
  EXPECT_TRUE(Contains(message, "M, batch_size")) << message;
}

TEST(Overrides, TwoAssignmentsAreAnError) {
  EXPECT_TRUE(Contains(Failure("N = 1\nM = 2\nN = 3\n", "N"), "lines 1 and 3"));
  EXPECT_TRUE(Contains(Failure("N = 1\nN += 3\n", "N"), "lines 1 and 2"));
}

TEST(Overrides, AssignmentsOfOtherFormsAreAnError) {
  for (const char* source :
       {"N = M = 1\n", "N = 1; M = 2\n", "N = (1 +\n     2)\n",
        "N = 1 + \\\n    2\n", "N = '''\n1'''\n"})
    EXPECT_TRUE(Contains(Failure(source, "N"), "plain form")) << source;
}

}  // namespace
}  // namespace kb::problems
