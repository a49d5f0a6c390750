#include "syntax.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>

#include "os/files.h"
#include "os/process.h"

namespace kb::cli {
namespace {

namespace fs = std::filesystem;

using Sources = std::vector<std::string>;

// Interpreters made of shell: beside a test program lies no installation whose
// hosts/syntax.py could be run.
class Syntax : public testing::Test {
 protected:
  Syntax() : folder_(*os::TempDir::Create("kb-syntax-test")) {}

  std::string Interpreter(const std::string& script) const {
    std::string path = folder_.path() + "/python";
    EXPECT_TRUE(os::WriteFileAtomically(path, "#!/bin/sh\n" + script + "\n"));
    EXPECT_EQ(chmod(path.c_str(), S_IRWXU), 0);
    return path;
  }

  // Our script from the source tree, on the sources that it is handed last.
  std::string Real() const {
    const auto python = os::FindProgram("python3");
    EXPECT_TRUE(python) << python.error().message();
    const fs::path script =
        fs::absolute(__FILE__).parent_path() / "../../hosts/syntax.py";
    EXPECT_TRUE(fs::exists(script)) << script;
    return Interpreter("for last; do :; done\nexec '" + python.value_or("") +
                       "' -I '" + script.string() + "' \"$last\"");
  }

  os::TempDir folder_;
};

TEST_F(Syntax, OfRightSourcesIsNotComplainedOf) {
  const auto errors = CheckSyntax(
      Real(), {"", "def f(x):\n    return x\n", "raise SystemExit(3)\n"});
  ASSERT_TRUE(errors) << errors.error().message();
  ASSERT_EQ(errors->size(), 3U);
  for (const auto& error : *errors) EXPECT_FALSE(error);
}

TEST_F(Syntax, ErrorsStandWithTheirSourceAndLine) {
  const auto errors =
      CheckSyntax(Real(), {"x = 1\ny = (\n", "x = 1\n",
                           "# \xc3\xbc\n\nclass Model:\n    return = 1\n"});
  ASSERT_TRUE(errors) << errors.error().message();
  ASSERT_EQ(errors->size(), 3U);
  ASSERT_TRUE((*errors)[0]);
  EXPECT_EQ((*errors)[0]->line, 2);
  EXPECT_NE((*errors)[0]->message, "");
  EXPECT_FALSE((*errors)[1]);
  ASSERT_TRUE((*errors)[2]);
  EXPECT_EQ((*errors)[2]->line, 4);
}

TEST_F(Syntax, ASourceThatIsCompiledIsNotRun) {
  const std::string trace = folder_.path() + "/trace";
  const auto errors =
      CheckSyntax(Real(), {"open('" + trace + "', 'w').close()\n"});
  ASSERT_TRUE(errors) << errors.error().message();
  EXPECT_FALSE(fs::exists(trace));
}

TEST_F(Syntax, AnInterpreterThatIsNotThereIsNotASourceWithoutErrors) {
  EXPECT_FALSE(CheckSyntax(folder_.path() + "/none", {"x = 1\n"}));
}

TEST_F(Syntax, AnInterpreterThatFailsIsQuoted) {
  const auto errors =
      CheckSyntax(Interpreter("echo 'no such module' >&2; exit 3"), {"x = 1"});
  ASSERT_FALSE(errors);
  EXPECT_NE(errors.error().message().find("no such module"), std::string::npos);
}

TEST_F(Syntax, AnAnswerThatMakesNoSenseIsAnError) {
  for (const char* answer :
       {"hello", "{}", R"({"index": 0, "line": "one", "message": "m"})",
        R"({"index": 0, "line": 1})"})
    EXPECT_FALSE(CheckSyntax(Interpreter(std::string("echo '") + answer + "'"),
                             {"x = 1"}))
        << answer;
}

TEST_F(Syntax, AnswersAboutNoSourceAreLeftOut) {
  const auto errors = CheckSyntax(
      Interpreter(R"(echo '{"index": 7, "line": 1, "message": "m"}')"),
      {"x = 1"});
  ASSERT_TRUE(errors) << errors.error().message();
  ASSERT_EQ(errors->size(), 1U);
  EXPECT_FALSE(errors->front());
}

}  // namespace
}  // namespace kb::cli
