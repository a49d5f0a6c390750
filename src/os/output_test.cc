#include "os/output.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <functional>
#include <string>

namespace kb::os {
namespace {

constexpr int kAllOut = 42;  // plus LostOutput

// The exit code of a child that sets its descriptors up, protects them, and
// says more than any buffer holds on both.
int SaysMuch(const std::function<void()>& set_up) {
  const pid_t child = fork();
  if (child == 0) {
    std::signal(SIGPIPE, SIG_IGN);
    set_up();
    ProtectOutput();
    const std::string line(1000, 'x');
    for (int i = 0; i < 300; ++i) {
      fmt::print("{}\n", line);
      fmt::print(stderr, "{}\n", line);
    }
    _exit(kAllOut + LostOutput());
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

void PointTo(int fd, const char* path) {
  const int opened = open(path, O_WRONLY);
  dup2(opened, fd);
}

void PointToNobody(int fd) {
  std::array<int, 2> ends{};
  ASSERT_EQ(pipe(ends.data()), 0);
  dup2(ends[1], fd);
  close(ends[0]);
  close(ends[1]);
}

TEST(Output, GoesWhereItShould) {
  EXPECT_EQ(SaysMuch([] {
              PointTo(STDOUT_FILENO, "/dev/null");
              PointTo(STDERR_FILENO, "/dev/null");
            }),
            kAllOut);
}

TEST(Output, NobodyNeedListen) {
  EXPECT_EQ(SaysMuch([] {
              PointToNobody(STDOUT_FILENO);
              PointToNobody(STDERR_FILENO);
            }),
            kAllOut);
}

TEST(Output, OnAFullDiskIsSaidToBeLost) {
  EXPECT_EQ(SaysMuch([] {
              PointTo(STDOUT_FILENO, "/dev/full");
              PointTo(STDERR_FILENO, "/dev/full");
            }),
            kAllOut + ENOSPC);
}

TEST(Output, MayBeClosed) {
  EXPECT_EQ(SaysMuch([] {
              close(STDOUT_FILENO);
              close(STDERR_FILENO);
            }),
            kAllOut);
}

TEST(Output, ArrivesWhole) {
  std::array<int, 2> ends{};
  ASSERT_EQ(pipe(ends.data()), 0);
  const pid_t child = fork();
  if (child == 0) {
    dup2(ends[1], STDOUT_FILENO);
    close(ends[0]);
    close(ends[1]);
    ProtectOutput();
    for (int i = 0; i < 20000; ++i) fmt::print("{:06}\n", i);
    _exit(LostOutput());
  }
  close(ends[1]);
  std::string all;
  std::array<char, 4096> part{};
  for (ssize_t n = 0; (n = read(ends[0], part.data(), part.size())) > 0;)
    all.append(part.data(), static_cast<size_t>(n));
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(all.size(), 20000U * 7);
  EXPECT_TRUE(all.ends_with("019999\n"));
}

}  // namespace
}  // namespace kb::os
