#include "source_errors.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <utility>

#include "os/files.h"

namespace kb::builder {
namespace {

// Headers as of PyTorch, beside those of the system.
class SourceErrorsTest : public testing::Test {
 protected:
  void SetUp() override {
    auto folder = os::TempDir::Create("kb-errors");
    ASSERT_TRUE(folder);
    folder_.emplace(std::move(*folder));
    const std::string core = folder_->path() + "/ATen/core";
    ASSERT_TRUE(os::MakeDirectories(core));
    ASSERT_TRUE(os::WriteFileAtomically(core + "/TensorBody.h",
                                        "class Tensor { relu in_channels };"));
    ASSERT_TRUE(os::WriteFileAtomically(core + "/TensorBase.h", "sizes"));
    sources_.files = {"/b/cuda.cu"};
    sources_.header_folders = {folder_->path()};
    sources_.torch_include = folder_->path();
  }

  bool First(const std::string& output) { return IsOfSource(output, sources_); }
  bool All(const std::string& output) {
    return AreAllOfSource(output, sources_);
  }

  std::optional<os::TempDir> folder_;
  Sources sources_;
};

constexpr const char* kUndefined =
    "/b/cuda.cu(17): error: identifier \"no_such_identifier_kb\" is "
    "undefined\n";
constexpr const char* kDefined =
    "/b/cuda.cu(18): error: identifier \"in_channels\" is undefined\n";

TEST_F(SourceErrorsTest, ANameThatNoHeaderHasIsMissingInAllOfThem) {
  EXPECT_TRUE(First(kUndefined));
  EXPECT_TRUE(All(kUndefined));
  EXPECT_TRUE(First(
      "/b/cuda.cu:4:60: error: \u2018no_such_name_kb\u2019 was not declared "
      "in this scope; did you mean \u2018no\u2019?\n"));
  EXPECT_TRUE(All(
      "/b/cuda.cu:4:1: error: \u2018no_such_name_kb\u2019 is not a member of "
      "\u2018torch\u2019\n"));
  EXPECT_TRUE(
      All("/b/cuda.cu(9): error: namespace \"torch\" has no member "
          "\"no_such_name_kb\"\n"));
}

TEST_F(SourceErrorsTest, ANameThatSomeHeaderHasMayBeDeclaredThere) {
  EXPECT_FALSE(First(kDefined));
  EXPECT_FALSE(All(kDefined));
  EXPECT_FALSE(
      First("/b/cuda.cu(3): error: identifier \"printf\" is undefined"))
      << "one of the system";
  EXPECT_FALSE(
      First("/b/cuda.cu(3): error: identifier \"kMadeUpKb\" is undefined"))
      << "macros make such names";
  EXPECT_TRUE(
      First("/b/cuda.cu(3): error: identifier \"_channels\" is undefined"))
      << "a part of a word";
  sources_.header_folders.clear();
  EXPECT_TRUE(First(kDefined)) << "the same where it is in none";
}

TEST_F(SourceErrorsTest, OneUnknownErrorIsEnoughToDoubt) {
  EXPECT_TRUE(First(std::string(kUndefined) + kDefined));
  EXPECT_FALSE(All(std::string(kUndefined) + kDefined));
  EXPECT_FALSE(First(std::string(kDefined) + kUndefined));
  EXPECT_FALSE(First("1 error detected in the compilation\n"));
  EXPECT_FALSE(All(""));
}

// Where one of them might be declared, or where they are many, all headers are
// asked.
TEST_F(SourceErrorsTest, NamesAreLookedForTogether) {
  const auto undefined = [](int count) {
    std::string errors;
    for (int i = 0; i < count; ++i)
      errors += "/b/cuda.cu(1): error: identifier \"no_name_kb_" +
                std::to_string(i) + "\" is undefined\n";
    return errors;
  };
  EXPECT_TRUE(All(undefined(3) + undefined(3)));
  EXPECT_FALSE(All(undefined(3) + kDefined));
  EXPECT_FALSE(All(undefined(30)));
  EXPECT_FALSE(
      All(undefined(1) + "/b/cuda.cu(2): error #20: expected a \";\"\n"))
      << "an error with its number";
}

TEST_F(SourceErrorsTest, AnErrorInAHeaderIsNotOfTheSource) {
  EXPECT_FALSE(
      First("/torch/ATen/core/TensorBody.h(17): error: identifier "
            "\"no_such_identifier_kb\" is undefined\n"));
}

TEST_F(SourceErrorsTest, AFileThatIsNowhereStaysSo) {
  const std::string missing =
      ": fatal error: ATen/native/Convolution.h: No such file or directory";
  EXPECT_TRUE(First("/b/cuda.cu:9:10" + missing));
  EXPECT_FALSE(First("/torch/ATen/ATen.h:9:10" + missing));
}

TEST_F(SourceErrorsTest, AMemberThatATensorHasNot) {
  const std::string form =
      "m.cpp:5:48: error: 'class at::Tensor' has no member "
      "named '{}'";
  const auto missing = [&](const std::string& name) {
    std::string line = form;
    return line.replace(line.find("{}"), 2, name);
  };
  EXPECT_TRUE(First(missing("rectify")));
  EXPECT_FALSE(First(missing("relu"))) << "its header was left out";
  EXPECT_FALSE(All(missing("rectify"))) << "few headers have few members";
}

TEST_F(SourceErrorsTest, ATypeIsNoScalarType) {
  const std::string line =
      "/b/cuda.cu(55): error: no suitable conversion function from \"const "
      "at::DeprecatedTypeProperties\" to \"c10::ScalarType\" exists\n";
  EXPECT_TRUE(First(line));
  EXPECT_FALSE(All(line));
}

}  // namespace
}  // namespace kb::builder
