#include "os/files.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <thread>

#include "os/fd.h"

namespace kb::os {
namespace {

namespace fs = std::filesystem;

class FilesTest : public testing::Test {
 protected:
  void SetUp() override {
    auto made = TempDir::Create();
    ASSERT_TRUE(made) << made.error().message();
    folder_.emplace(std::move(*made));
  }
  std::string Path(const std::string& name) const {
    return folder_->path() + "/" + name;
  }

  std::optional<TempDir> folder_;
};

TEST_F(FilesTest, WhatIsWrittenIsRead) {
  const std::string bytes("a\0b\n", 4);
  ASSERT_TRUE(WriteFileAtomically(Path("x"), bytes));
  EXPECT_EQ(bytes, *ReadFile(Path("x")));
}

TEST_F(FilesTest, LargerThanAllowedIsAnError) {
  ASSERT_TRUE(WriteFileAtomically(Path("x"), "12345"));
  EXPECT_TRUE(ReadFile(Path("x"), 5));
  const auto text = ReadFile(Path("x"), 4);
  ASSERT_FALSE(text);
  EXPECT_NE(std::string::npos, text.error().message().find(Path("x")));
}

// As another user where the tests run as root, whom no mode keeps out.
TEST_F(FilesTest, FoldersThatAreClosedToTheirOwnerAreRemoved) {
  constexpr uid_t kNobody = 65534;
  ASSERT_TRUE(MakeDirectories(Path("a/b/c")));
  ASSERT_TRUE(WriteFileAtomically(Path("a/b/c/x"), "x"));
  ASSERT_TRUE(MakeDirectories(Path("kept")));
  fs::create_symlink(Path("kept"), Path("a/link"));
  fs::permissions(Path("kept"), fs::perms::owner_read);
  const uid_t self = ::geteuid();
  const uid_t owner = self == 0 ? kNobody : self;
  for (const char* part : {"", "a", "a/b", "a/b/c", "a/b/c/x"})
    ASSERT_EQ(::chown(Path(part).c_str(), owner, -1), 0);
  for (const char* part : {"a/b/c", "a/b", "a"})
    fs::permissions(Path(part), fs::perms::none);
  ASSERT_EQ(::seteuid(owner), 0);
  const auto removed = RemoveTree(Path("a"));
  ASSERT_EQ(::seteuid(self), 0);
  EXPECT_TRUE(removed);
  EXPECT_FALSE(fs::exists(Path("a")));
  EXPECT_EQ(fs::status(Path("kept")).permissions(), fs::perms::owner_read);
}

TEST_F(FilesTest, RemovingNothingIsNoErrorAndWhatStaysIsOne) {
  EXPECT_TRUE(RemoveTree(Path("missing")));
  EXPECT_TRUE(RemoveTree(""));
  const auto refused = RemoveTree("/proc/self/task");
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message().find("removing /proc/self/task"),
            std::string::npos);
}

TEST_F(FilesTest, MissingFileNamesItself) {
  const auto text = ReadFile(Path("missing"));
  ASSERT_FALSE(text);
  EXPECT_EQ("open " + Path("missing") + ": No such file or directory",
            text.error().message());
}

TEST_F(FilesTest, FilesOfProcAreReadToTheirEnd) {
  EXPECT_FALSE(ReadFile("/proc/self/status")->empty());
}

TEST_F(FilesTest, ReadersSeeAllOrNothing) {
  const std::string a(200000, 'a');
  const std::string b(300000, 'b');
  ASSERT_TRUE(WriteFileAtomically(Path("x"), a));
  std::atomic<bool> stop = false;
  std::thread writer([&] {
    while (!stop)
      for (const std::string& text : {a, b})
        EXPECT_TRUE(WriteFileAtomically(Path("x"), text));
  });
  for (int i = 0; i < 200; ++i) {
    const auto text = ReadFile(Path("x"));
    EXPECT_TRUE(text && (*text == a || *text == b));
  }
  stop = true;
  writer.join();
}

TEST_F(FilesTest, FailedWriteLeavesNothingBehind) {
  ASSERT_TRUE(MakeDirectories(Path("folder/below")));
  EXPECT_FALSE(WriteFileAtomically(Path("folder"), "x"));
  const fs::directory_iterator all(folder_->path());
  EXPECT_EQ(1, std::distance(fs::begin(all), fs::end(all)));
}

TEST_F(FilesTest, PipeIsRefusedInsteadOfWaitedFor) {
  ASSERT_EQ(0, ::mkfifo(Path("pipe").c_str(), 0600));
  const auto text = ReadFile(Path("pipe"));
  ASSERT_FALSE(text);
  EXPECT_EQ(text.error().message(),
            Path("pipe") +
                " is a pipe, not a file; copy what it holds to a "
                "file");
  EXPECT_FALSE(ReadFile(folder_->path()));
  EXPECT_TRUE(ReadFile("/dev/null"));
}

TEST_F(FilesTest, WhatIsNoFileIsNotReplaced) {
  ASSERT_EQ(0, ::mkfifo(Path("pipe").c_str(), 0600));
  EXPECT_FALSE(WriteFileAtomically(Path("pipe"), "x"));
  EXPECT_TRUE(fs::is_fifo(Path("pipe")));
}

TEST_F(FilesTest, OutputGoesWhereItIsSentAndReplacesFilesOnly) {
  ASSERT_TRUE(WriteOutput(Path("new"), "one"));
  ASSERT_TRUE(WriteOutput(Path("new"), "two"));
  EXPECT_EQ("two", *ReadFile(Path("new")));

  fs::create_symlink(Path("new"), Path("link"));
  ASSERT_TRUE(WriteOutput(Path("link"), "3"));
  EXPECT_TRUE(fs::is_symlink(Path("link")));
  EXPECT_EQ("3", *ReadFile(Path("new")));

  ASSERT_TRUE(WriteOutput("/dev/null", "gone"));
  EXPECT_TRUE(fs::is_character_file("/dev/null"));

  ASSERT_EQ(0, ::mkfifo(Path("pipe").c_str(), 0600));
  const auto unread = WriteOutput(Path("pipe"), "x");
  ASSERT_FALSE(unread);
  EXPECT_EQ(unread.error().message(), "nobody reads the pipe " + Path("pipe") +
                                          ": start its reader first");
  const Fd reader(::open(Path("pipe").c_str(), O_RDONLY | O_NONBLOCK));
  ASSERT_TRUE(WriteOutput(Path("pipe"), "through"));
  EXPECT_TRUE(fs::is_fifo(Path("pipe")));
  std::string got(7, ' ');
  EXPECT_EQ(7, ::read(reader.get(), got.data(), got.size()));
  EXPECT_EQ("through", got);

  EXPECT_FALSE(WriteOutput(folder_->path(), "x"));
}

TEST_F(FilesTest, MakeDirectoriesIsIdempotentAndRefusesFiles) {
  EXPECT_TRUE(MakeDirectories(Path("a/b/c")));
  EXPECT_TRUE(MakeDirectories(Path("a/b/c")));
  ASSERT_TRUE(WriteFileAtomically(Path("file"), ""));
  EXPECT_FALSE(MakeDirectories(Path("file")));
  EXPECT_FALSE(MakeDirectories(Path("file/below")));
}

TEST_F(FilesTest, TempDirIsPrivateAndGoesWithItsOwner) {
  std::string path;
  {
    auto made = TempDir::Create();
    ASSERT_TRUE(made);
    path = made->path();
    struct stat status{};
    ASSERT_EQ(0, ::stat(path.c_str(), &status));
    EXPECT_EQ(0700u, status.st_mode & 07777u);
    ASSERT_TRUE(WriteFileAtomically(path + "/x", ""));
    TempDir moved = std::move(*made);
    EXPECT_TRUE(fs::exists(path));
  }
  EXPECT_FALSE(fs::exists(path));
}

// A TempDir whose owner was killed, in the folder TMPDIR.
std::string LeftByAKilledProcess() {
  std::array<int, 2> ends{};
  EXPECT_EQ(0, ::pipe(ends.data()));
  const pid_t child = ::fork();
  if (child == 0) {
    const auto made = TempDir::Create("kb-left");
    const std::string path = made ? made->path() : "";
    (void)!::write(ends[1], path.data(), path.size());
    ::raise(SIGKILL);
  }
  ::waitpid(child, nullptr, 0);
  std::string path(4096, ' ');
  path.resize(static_cast<size_t>(::read(ends[0], path.data(), path.size())));
  ::close(ends[0]);
  ::close(ends[1]);
  return path;
}

TEST_F(FilesTest, FoldersOfKilledProcessesAreSweptAndNoOthers) {
  ::setenv("TMPDIR", folder_->path().c_str(), 1);
  const std::string left = LeftByAKilledProcess();
  const std::string used = LeftByAKilledProcess();
  const auto mine = TempDir::Create("kb-mine");
  const std::string foreign = Path("kb-notes-abcdef");
  ASSERT_TRUE(mine && MakeDirectories(foreign) && MakeDirectories(left + "/x"));
  {
    const Fd user(::open(used.c_str(), O_RDONLY));
    ASSERT_EQ(0, ::flock(user.get(), LOCK_EX | LOCK_NB)) << used;
    TempDir::RemoveStale();
  }
  EXPECT_FALSE(fs::exists(left)) << left;
  EXPECT_TRUE(fs::exists(used)) << "a process that we do not see has it";
  EXPECT_TRUE(fs::exists(mine->path()));
  EXPECT_TRUE(fs::exists(foreign));
  ::unsetenv("TMPDIR");
}

TEST_F(FilesTest, RelativeTmpdirIsMadeAbsolute) {
  const fs::path before = fs::current_path();
  fs::current_path(folder_->path());
  ASSERT_TRUE(MakeDirectories("below"));
  ::setenv("TMPDIR", "below", 1);
  const auto made = TempDir::Create("kb");
  ::setenv("TMPDIR", "missing", 1);
  const auto missing = TempDir::Create("kb");
  ::unsetenv("TMPDIR");
  fs::current_path(before);
  ASSERT_TRUE(made);
  EXPECT_TRUE(made->path().starts_with(Path("below/kb-"))) << made->path();
  ASSERT_FALSE(missing);
  EXPECT_NE(std::string::npos,
            missing.error().message().find("TMPDIR=missing"));
}

TEST_F(FilesTest, ReleasedTempDirStays) {
  std::string path;
  {
    auto made = TempDir::Create();
    ASSERT_TRUE(made);
    path = made->Release();
  }
  EXPECT_TRUE(fs::exists(path));
  fs::remove_all(path);
}

TEST_F(FilesTest, LockWaitsForItsHolder) {
  std::atomic<bool> released = false;
  auto first = FileLock::Acquire(Path("lock"), std::chrono::hours(1));
  ASSERT_TRUE(first);
  std::thread second([&] {
    const auto lock = FileLock::Acquire(Path("lock"), std::chrono::hours(1));
    EXPECT_TRUE(lock);
    EXPECT_TRUE(released);
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  released = true;
  {
    const FileLock done = std::move(*first);
  }
  second.join();
}

TEST_F(FilesTest, LockIsNotWaitedForForEver) {
  const auto first = FileLock::Acquire(Path("lock"), std::chrono::hours(1));
  ASSERT_TRUE(first);
  const auto second =
      FileLock::Acquire(Path("lock"), std::chrono::milliseconds(1));
  ASSERT_FALSE(second);
  EXPECT_NE(std::string::npos, second.error().message().find(Path("lock")));
}

TEST_F(FilesTest, WhoDoesNotWaitForALockIsToldWhoHasIt) {
  {
    const auto first = FileLock::TryAcquire(Path("lock"), "the first one");
    ASSERT_TRUE(first && *first);
    const auto second = FileLock::TryAcquire(Path("lock"), "the second");
    ASSERT_TRUE(second);
    EXPECT_FALSE(*second);
    EXPECT_EQ(*ReadFile(Path("lock")), "the first one");
  }
  const auto third = FileLock::TryAcquire(Path("lock"), "third");
  ASSERT_TRUE(third && *third);
  EXPECT_EQ(*ReadFile(Path("lock")), "third");
}

TEST_F(FilesTest, SharersOfALockKeepOutOnlyWhoWantsItAlone) {
  const std::chrono::milliseconds soon(1);
  auto one = FileLock::Share(Path("lock"), soon);
  ASSERT_TRUE(one);
  {
    const auto another = FileLock::Share(Path("lock"), soon);
    EXPECT_TRUE(another);
    const auto alone = FileLock::TryAcquire(Path("lock"), "");
    ASSERT_TRUE(alone);
    EXPECT_FALSE(alone->has_value());
  }
  {
    const FileLock done = std::move(*one);
  }
  const auto alone = FileLock::TryAcquire(Path("lock"), "");
  ASSERT_TRUE(alone);
  EXPECT_TRUE(alone->has_value());
  EXPECT_FALSE(FileLock::Share(Path("lock"), soon));
}

// How often we have the file open.
int OpenedHere(const std::string& path) {
  int count = 0;
  for (const auto& entry : fs::directory_iterator("/proc/self/fd")) {
    std::error_code closed;
    count += fs::read_symlink(entry.path(), closed) == path ? 1 : 0;
  }
  return count;
}

// Who waits opens the file before the holder removes it.
TEST_F(FilesTest, LockWhoseFileWasRemovedIsNoLock) {
  const std::chrono::milliseconds soon(1);
  auto holder = FileLock::TryAcquire(Path("lock"), "me");
  ASSERT_TRUE(holder && *holder);
  std::optional<base::Result<FileLock>> waiter;
  {
    const std::jthread waits([&] {
      waiter.emplace(FileLock::Acquire(Path("lock"), std::chrono::minutes(1)));
    });
    while (OpenedHere(Path("lock")) < 2) std::this_thread::yield();
    fs::remove(Path("lock"));
    holder->reset();
  }
  ASSERT_TRUE(*waiter);
  EXPECT_TRUE(fs::exists(Path("lock"))) << "the file that others look at";
  EXPECT_FALSE(FileLock::Acquire(Path("lock"), soon));
}

TEST_F(FilesTest, LastSharerOfALockRemovesItsFile) {
  const std::chrono::milliseconds soon(1);
  auto one = FileLock::Share(Path("lock"), soon);
  auto another = FileLock::Share(Path("lock"), soon);
  ASSERT_TRUE(one && another);
  one->RemoveIfLast(Path("lock"));
  EXPECT_TRUE(fs::exists(Path("lock")));
  another->RemoveIfLast(Path("lock"));
  EXPECT_FALSE(fs::exists(Path("lock")));
}

TEST_F(FilesTest, NothingIsReplacedByANewName) {
  for (const char* name : {"from", "to"}) std::ofstream(Path(name)) << name;
  EXPECT_FALSE(RenameNew(Path("from"), Path("to")).value());
  EXPECT_EQ(*ReadFile(Path("to")), "to");
  fs::remove(Path("to"));
  EXPECT_TRUE(RenameNew(Path("from"), Path("to")).value());
  EXPECT_EQ(*ReadFile(Path("to")), "from");
  EXPECT_FALSE(RenameNew(Path("from"), Path("to")));
}

TEST_F(FilesTest, FileWithoutANameIsRefused) {
  const auto written = WriteOutput("", "x");
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().kind(), base::Error::Kind::kUsage);
}

TEST_F(FilesTest, LockCannotBeHadWhereNothingCanBeWritten) {
  EXPECT_FALSE(FileLock::TryAcquire(Path("none/lock"), ""));
}

TEST_F(FilesTest, CacheDirectoryFollowsTheEnvironment) {
  ::setenv("KB_CACHE", Path("cache").c_str(), 1);
  const auto path = CacheDirectory("nvrtc");
  ::unsetenv("KB_CACHE");
  ASSERT_TRUE(path) << path.error().message();
  EXPECT_EQ(Path("cache/nvrtc"), *path);
  EXPECT_TRUE(fs::is_directory(*path));
}

TEST_F(FilesTest, InstallRootIsAboveTheFolderOfTheProgram) {
  const fs::path program = fs::read_symlink("/proc/self/exe");
  EXPECT_EQ(program.parent_path().parent_path().string(), *InstallRoot());
}

}  // namespace
}  // namespace kb::os
