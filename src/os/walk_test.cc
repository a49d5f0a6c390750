#include "os/walk.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "os/files.h"

namespace kb::os {
namespace {

namespace fs = std::filesystem;

class WalkTest : public testing::Test {
 protected:
  void SetUp() override {
    auto folder = TempDir::Create("kb-walk");
    ASSERT_TRUE(folder);
    folder_.emplace(std::move(*folder));
    fs::create_directories(Path("sub/deeper"));
    fs::create_directories(Path(".git"));
    for (const char* name :
         {"b.py", "sub/deeper/a.py", "sub/note.txt", ".git/c.py"})
      std::ofstream(Path(name)) << "x";
  }
  std::string Path(const std::string& name) const {
    return folder_->path() + "/" + name;
  }
  base::Result<std::vector<std::string>> Sources() const {
    return FilesBelow(
        folder_->path(),
        [](const std::string& path) { return path.ends_with(".py"); },
        [](const std::string& path) { return path.ends_with(".git"); });
  }
  // The walk fails, and says of what.
  void ExpectRefused(const std::string& name) const {
    const auto files = Sources();
    ASSERT_FALSE(files);
    EXPECT_EQ(files.error().kind(), base::Error::Kind::kUsage);
    EXPECT_TRUE(files.error().message().starts_with(Path(name) + ": "))
        << files.error().message();
  }

  std::optional<TempDir> folder_;
};

TEST_F(WalkTest, FindsWhatIsWantedAndSkipsWhatIsNot) {
  fs::create_symlink(Path("b.py"), Path("sub/link.py"));
  fs::create_directory_symlink("..", Path("sub/up"));
  fs::create_symlink("nowhere", Path("sub/unasked"));
  const auto files = Sources();
  ASSERT_TRUE(files) << files.error().message();
  EXPECT_EQ(*files, (std::vector{Path("b.py"), Path("sub/deeper/a.py"),
                                 Path("sub/link.py")}));
}

TEST_F(WalkTest, LinkThatLeadsNowhereIsNamed) {
  fs::create_symlink("nowhere", Path("sub/dangling.py"));
  ExpectRefused("sub/dangling.py");
}

TEST_F(WalkTest, LinkToItselfIsNamed) {
  fs::create_symlink("loop.py", Path("sub/loop.py"));
  ExpectRefused("sub/loop.py");
}

TEST_F(WalkTest, FolderThatCannotBeReadIsNamed) {
  if (::geteuid() == 0) GTEST_SKIP() << "who may read everything";
  ASSERT_EQ(::chmod(Path("sub/deeper").c_str(), 0), 0);
  ExpectRefused("sub/deeper");
  ASSERT_EQ(::chmod(Path("sub/deeper").c_str(), 0700), 0);
}

TEST_F(WalkTest, MissingFolderIsNamed) {
  fs::remove_all(folder_->path());
  const auto files = Sources();
  ASSERT_FALSE(files);
  EXPECT_TRUE(files.error().message().starts_with(folder_->path() + ": "));
}

}  // namespace
}  // namespace kb::os
