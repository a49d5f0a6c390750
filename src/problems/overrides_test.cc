#include "problems/overrides.h"

#include <gtest/gtest.h>

namespace kb::problems {
namespace {

using Integers = std::map<std::string, int64_t>;

std::string With(const std::string& source, const Overrides& values) {
  const auto result = ApplyOverrides(source, values);
  EXPECT_TRUE(result) << result.error().message();
  return result.value_or("");
}

std::string With(const std::string& source, const Integers& values) {
  Overrides overrides;
  for (const auto& [name, value] : values) overrides[name] = {value};
  return With(source, overrides);
}

record::Value ListOf(std::vector<record::Value> items) {
  return {record::Value::List{std::move(items), false}};
}

std::string Failure(const std::string& source, const std::string& name) {
  const auto result = ApplyOverrides(source, {{name, {int64_t{1}}}});
  EXPECT_FALSE(result) << *result;
  return result ? "" : result.error().message();
}

bool Contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(Overrides, ValueIsReplacedAndNothingElse) {
  EXPECT_EQ(With("N = 4096\n", Integers{{"N", 61}}), "N = 61\n");
  EXPECT_EQ(With("N=2048 * 2  # square\nM = 3\n", Integers{{"N", 61}}),
            "N=61  # square\nM = 3\n");
  EXPECT_EQ(With("N: int = (4 + 1)", Integers{{"N", -1}}), "N: int = -1");
  EXPECT_EQ(With("N = 1\r\nM = 2\r\n", Integers{{"N", 61}}),
            "N = 61\r\nM = 2\r\n");
  EXPECT_EQ(With("N = f(a=1, b=[2])\n", Integers{{"N", 7}}), "N = 7\n");
}

TEST(Overrides, SeveralConstantsAtOnce) {
  EXPECT_EQ(With("a = 1\nbatch = 10  # b\nc = 100\n",
                 Integers{{"a", 12345}, {"c", 2}}),
            "a = 12345\nbatch = 10  # b\nc = 2\n");
}

TEST(Overrides, ValuesAreWrittenAsPythonDoes) {
  const std::string source = "v = 0\n";
  EXPECT_EQ(With(source, Overrides{{"v", {2.0}}}), "v = 2.0\n");
  EXPECT_EQ(With(source, Overrides{{"v", {0.5}}}), "v = 0.5\n");
  EXPECT_EQ(With(source, Overrides{{"v", {1e-30}}}), "v = 1e-30\n");
  EXPECT_EQ(With(source, Overrides{{"v", {true}}}), "v = True\n");
  EXPECT_EQ(With(source, Overrides{{"v", {std::string("a\"b")}}}),
            "v = \"a\\\"b\"\n");
}

TEST(Overrides, AListTakesTheFormOfWhatItReplaces) {
  const record::Value one = ListOf({{int64_t{7}}});
  const record::Value two = ListOf({{int64_t{7}}, {0.5}});
  EXPECT_EQ(With("v = (4096,)\n", Overrides{{"v", one}}), "v = (7,)\n");
  EXPECT_EQ(With("v = (1, 2)\n", Overrides{{"v", two}}), "v = (7, 0.5)\n");
  EXPECT_EQ(With("v = [1]\n", Overrides{{"v", two}}), "v = [7, 0.5]\n");
  EXPECT_EQ(With("v = [1]\n", Overrides{{"v", ListOf({one, one})}}),
            "v = [[7], [7]]\n");
}

TEST(Overrides, NothingToReplaceLeavesTheSource) {
  EXPECT_EQ(With("N = 4096\n", Integers{}), "N = 4096\n");
}

TEST(Overrides, OtherPlacesOfTheNameAreLeftAlone) {
  const std::string before =
      "\"\"\"\nN = 1\n\"\"\"\n# N = 2\nclass Model:\n    N = 3\n"
      "f(\nN = 4\n)\nNN = 5\nx = \\\nN == 6\n";
  EXPECT_EQ(With(before + "N = 7\n", Integers{{"N", 61}}), before + "N = 61\n");
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
