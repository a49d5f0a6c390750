#include "harvest.h"

#include <fcntl.h>
#include <unistd.h>

#include "compile_fixture.h"

namespace kb::compile {
namespace {

namespace fs = std::filesystem;

class HarvestTest : public Scratch {
 protected:
  HarvestTest() { fs::create_directory(path() + "/out"); }

  base::Result<void> Elf(uint64_t max_bytes = 1000) {
    return HarvestElf(path() + "/out", "a.so", path() + "/taken", max_bytes);
  }
};

TEST_F(HarvestTest, ElfFileIsCopied) {
  Write("out/a.so", "\177ELF and more");
  ASSERT_TRUE(Elf());
  EXPECT_EQ(Must(os::ReadFile(path() + "/taken")), "\177ELF and more");
}

TEST_F(HarvestTest, WhatIsNoArtefactIsRefused) {
  EXPECT_EQ(Elf().error().message(), "it wrote no output file");
  Write("out/a.so", "text");
  EXPECT_EQ(Elf().error().message(), "its output is no ELF file");
  Write("out/a.so", "\177ELF" + std::string(1000, 'x'));
  EXPECT_FALSE(Elf());
  fs::remove(path() + "/out/a.so");
  fs::create_directory(path() + "/out/a.so");
  EXPECT_EQ(Elf().error().message(), "its output is no regular file");
  EXPECT_FALSE(fs::exists(path() + "/taken"));
}

// A build may take more of the disk than its files seem to have.
TEST_F(HarvestTest, WhatAFileHasOfTheDiskCounts) {
  constexpr off_t kTaken = 8 << 20;
  Write("out/small", "text");
  const os::Fd file(::open((path() + "/out/small").c_str(), O_WRONLY));
  if (::fallocate(file.get(), FALLOC_FL_KEEP_SIZE, 0, kTaken) != 0)
    GTEST_SKIP() << "no fallocate on this disk";
  EXPECT_GE(TreeBytes(path() + "/out", UINT64_MAX), kTaken);
}

TEST_F(HarvestTest, SymlinkToAnElfFileOfOursIsRefused) {
  Write("ours", "\177ELF secret");
  fs::create_symlink(path() + "/ours", path() + "/out/a.so");
  EXPECT_FALSE(Elf());
}

TEST_F(HarvestTest, PipeInsteadOfAFileDoesNotBlock) {
  ASSERT_EQ(mkfifo((path() + "/out/a.so").c_str(), 0666), 0);
  EXPECT_FALSE(Elf());
}

TEST_F(HarvestTest, TreeKeepsTimesAndLeavesLocksLinksAndPipesBehind) {
  const std::string object = Write("out/x/x.so", "\177ELF");
  Write("out/x/lock", "");
  Write("secret", "secret");
  fs::create_symlink(path() + "/secret", path() + "/out/x/link");
  ASSERT_EQ(mkfifo((path() + "/out/x/pipe").c_str(), 0666), 0);
  const auto time = fs::last_write_time(object) - std::chrono::hours(1) +
                    std::chrono::nanoseconds(123);
  fs::last_write_time(object, time);
  const auto folder_time = fs::last_write_time(path() + "/out/x");

  const Harvest harvest =
      Must(HarvestTree(path() + "/out", path() + "/taken", 1000));
  EXPECT_EQ(harvest.shared_objects, 1u);
  EXPECT_EQ(harvest.bytes, 4u);
  EXPECT_EQ(fs::last_write_time(path() + "/taken/x/x.so"), time);
  EXPECT_EQ(fs::last_write_time(path() + "/taken/x"), folder_time);
  for (const char* name : {"lock", "link", "pipe"})
    EXPECT_FALSE(fs::exists(fs::symlink_status(path() + "/taken/x/" + name)))
        << name;
}

TEST_F(HarvestTest, TreeThatIsTooLargeIsRefused) {
  Write("out/a", std::string(600, 'x'));
  Write("out/b", std::string(600, 'x'));
  EXPECT_FALSE(HarvestTree(path() + "/out", path() + "/taken", 1000));
}

}  // namespace
}  // namespace kb::compile
