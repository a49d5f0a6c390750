#include "os/process.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "os/files.h"

namespace kb::os {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

Process::Options Shell(const std::string& script) {
  Process::Options options;
  options.argv = {"/bin/sh", "-c", script};
  return options;
}

Process Started(const Process::Options& options) {
  auto process = Process::Start(options);
  if (!process) throw std::runtime_error(process.error().message());
  return std::move(*process);
}

TEST(DescribeTest, SaysWhatHappened) {
  EXPECT_EQ("exit code 3", Describe(Exited{3}));
  EXPECT_EQ("killed by signal 11 (Segmentation fault)", Describe(Signaled{11}));
  EXPECT_EQ("timed out", Describe(TimedOut{}));
}

TEST(ProcessTest, ExitCodeArrives) {
  Process process = Started(Shell("exit 5"));
  const ExitStatus status = process.Wait(seconds(5));
  EXPECT_EQ("exit code 5", Describe(status));
  EXPECT_EQ("exit code 5", Describe(process.Wait(seconds(0))));
}

TEST(ProcessTest, WaitTimesOutAndLeavesItAlone) {
  Process process = Started(Shell("sleep 30"));
  EXPECT_EQ("timed out", Describe(process.Wait(milliseconds(50))));
  process.Kill();
  EXPECT_EQ("killed by signal 9 (Killed)", Describe(process.Wait(seconds(5))));
}

TEST(ProcessTest, WaitFdTellsTheEnd) {
  Process process = Started(Shell("read x < /dev/null; exit 0"));
  pollfd end = {process.wait_fd(), POLLIN, 0};
  EXPECT_EQ(1, ::poll(&end, 1, 5000));
}

TEST(ProcessTest, DestructionEndsTheWholeGroup) {
  int ends[2];
  ASSERT_EQ(0, ::pipe2(ends, O_CLOEXEC));
  const Fd read(ends[0]);
  Fd write(ends[1]);
  {
    Process::Options options = Shell("sleep 30 & sleep 30");
    options.inherited_fds = {write.get()};
    const Process process = Started(options);
  }
  write.Close();
  pollfd end = {read.get(), POLLIN, 0};
  EXPECT_EQ(1, ::poll(&end, 1, 2000)) << "somebody still holds the pipe";
}

TEST(ProcessTest, InheritedDescriptorsAreRenumberedInOrder) {
  const auto folder = TempDir::Create();
  ASSERT_TRUE(folder);
  const std::string log = folder->path() + "/log";
  const std::string a = folder->path() + "/a";
  ASSERT_TRUE(WriteFileAtomically(a, "from a"));
  // Given in the reverse order of their numbers, which overlap the new ones.
  const Fd first(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  const Fd second(::open(a.c_str(), O_RDONLY | O_CLOEXEC));
  Process::Options options = Shell(
      "cat <&3; cat <&4; ls /proc/self/fd | tr '\\n' ' '; echo $KB_TEST_X");
  options.inherited_fds = {second.get(), first.get()};
  options.log_path = log;
  options.extra_env = {{"KB_TEST_X", "yes"}};
  Process process = Started(options);
  EXPECT_EQ("exit code 0", Describe(process.Wait(seconds(5))));
  // ls opens the folder itself as 5.
  EXPECT_EQ("from a0 1 2 3 4 5 yes\n", *ReadFile(log));
}

TEST(ProcessTest, StandardDescriptorsAreTheGivenOnes) {
  int in[2], out[2];
  ASSERT_EQ(0, pipe2(in, O_CLOEXEC));
  ASSERT_EQ(0, pipe2(out, O_CLOEXEC));
  ASSERT_EQ(3, write(in[1], "abc", 3));
  close(in[1]);
  Process::Options options = Shell("cat; echo err >&2");
  options.stdio = {in[0], out[1], out[1]};
  Process process = Started(options);
  EXPECT_EQ("exit code 0", Describe(process.Wait(seconds(5))));
  char text[16] = {};
  EXPECT_EQ(7, read(out[0], text, sizeof text));
  EXPECT_STREQ("abcerr\n", text);
  for (const int fd : {in[0], out[0], out[1]}) close(fd);
}

TEST(ProcessTest, WorkingFolderThatIsGoneIsNotInherited) {
  const pid_t child = ::fork();
  if (child == 0) {
    std::string gone = "/tmp/kb-gone-XXXXXX";
    const bool left = ::mkdtemp(gone.data()) != nullptr &&
                      ::chdir(gone.c_str()) == 0 && ::rmdir(gone.c_str()) == 0;
    const auto run = RunAndCapture({"/bin/pwd"}, milliseconds(30000));
    ::_exit(left && run && run->out == "/\n" ? 0 : 1);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(0, status);
}

TEST(ProcessTest, MissingProgramIsAnError) {
  Process::Options options;
  options.argv = {"/usr/bin/there-is-no-such-program"};
  const auto process = Process::Start(options);
  ASSERT_FALSE(process);
  EXPECT_NE(std::string::npos,
            process.error().message().find("no-such-program"));
}

TEST(RunAndCaptureTest, BothStreamsAreKeptApart) {
  const auto captured = RunAndCapture(
      {"/bin/sh", "-c", "echo out; echo err >&2; exit 3"}, seconds(5));
  ASSERT_TRUE(captured);
  EXPECT_EQ("out\n", captured->out);
  EXPECT_EQ("err\n", captured->err);
  EXPECT_EQ("exit code 3", Describe(captured->status));
}

TEST(RunAndCaptureTest, MuchOutputIsReadButNotKept) {
  const auto captured = RunAndCapture(
      {"/usr/bin/head", "-c", "5000000", "/dev/zero"}, seconds(10));
  ASSERT_TRUE(captured);
  EXPECT_EQ("exit code 0", Describe(captured->status));
  EXPECT_EQ(size_t{1} << 20, captured->out.size());
}

TEST(RunAndCaptureTest, TimesOut) {
  const auto captured =
      RunAndCapture({"/bin/sleep", "infinity"}, milliseconds(100));
  ASSERT_TRUE(captured);
  EXPECT_EQ("timed out", Describe(captured->status));
}

TEST(FindProgramTest, FindsOnPath) {
  EXPECT_TRUE(FindProgram("sh")->ends_with("/sh"));
  EXPECT_EQ("/bin/sh", *FindProgram("/bin/sh"));
  EXPECT_FALSE(FindProgram("there-is-no-such-program"));
}

}  // namespace
}  // namespace kb::os
