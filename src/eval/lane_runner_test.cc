#include "lane_runner.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

namespace kb::eval {
namespace {

using Environment = std::map<std::string, std::string>;

Environment Of(record::Backend backend, const std::string& mode, bool cpu) {
  Task task;
  task.candidate.backend = backend;
  task.mode = mode;
  return EnvironmentOf(task, cpu);
}

// What is made ahead by hosts/fork_server.py costs a process 0.8 s (Triton) and
// 2 s (torch.compile) while it has the device.
TEST(EnvironmentOf, NamesWhatIsMadeAhead) {
  using enum record::Backend;
  EXPECT_EQ(Of(kTorch, "eager", false), Environment());
  EXPECT_EQ(Of(kTriton, "eager", false), Environment({{"KB_AHEAD", "triton"}}));
  EXPECT_EQ(Of(kTorch, "compile", false),
            Environment({{"KB_AHEAD", "triton,compile"}}));
}

TEST(EnvironmentOf, NamesWhatTheBuilderOfExtensionsImports) {
  Task task;
  task.candidate.builds_extension = true;
  for (const bool cpu : {true, false})
    EXPECT_EQ(EnvironmentOf(task, cpu),
              Environment({{"KB_AHEAD", "extension"}}));
  task.candidate.backend = record::Backend::kTriton;
  EXPECT_EQ(EnvironmentOf(task, false),
            Environment({{"KB_AHEAD", "triton,extension"}}));
}

TEST(EnvironmentOf, TritonIsInterpretedOnCpu) {
  using enum record::Backend;
  EXPECT_EQ(Of(kTriton, "eager", true),
            Environment({{"TRITON_INTERPRET", "1"}}));
  EXPECT_EQ(Of(kTorch, "compile", true),
            Environment({{"KB_AHEAD", "compile"}}));
}

// A candidate's process must not leave anything for another's.
TEST(IsCompiledReference, OnlyOfTrustedOnesThatAreCompiled) {
  const auto is = [](bool trusted, const char* mode) {
    Task task;
    task.trusted = trusted;
    task.mode = mode;
    return IsCompiledReference(task);
  };
  EXPECT_TRUE(is(true, "compile"));
  EXPECT_FALSE(is(true, "eager"));
  EXPECT_FALSE(is(false, "compile"));
}

}  // namespace
}  // namespace kb::eval
