#include "compile/cache.h"

#include <sched.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>

#include "compile_fixture.h"

namespace kb::compile {
namespace {

namespace fs = std::filesystem;

class CacheTest : public Scratch {
 protected:
  CacheTest() : cache_(Must(ArtifactCache::Open(path() + "/store", 100000))) {}

  // An entry of `bytes` that was last used `hours` ago.
  void Add(const std::string& key, size_t bytes, int hours) {
    const std::string folder = Must(cache_.Begin(key));
    Artifact artifact;
    artifact.status = BuildStatus::kOk;
    artifact.path = folder + "/a.so";
    ASSERT_TRUE(
        os::WriteFileAtomically(artifact.path, std::string(bytes, 'x')));
    ASSERT_TRUE(cache_.Publish(key, artifact));
    fs::last_write_time(
        folder + "/result.json",
        fs::file_time_type::clock::now() - std::chrono::hours(hours));
  }

  ArtifactCache cache_;
};

TEST_F(CacheTest, WhatWasPublishedIsFound) {
  Must(cache_.Begin("k"));
  Artifact artifact;
  artifact.status = BuildStatus::kFailed;
  artifact.log = "k.cu:1: error: no";
  artifact.build_seconds = 1.5;
  ASSERT_TRUE(cache_.Publish("k", artifact));
  const auto found = cache_.Find("k");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->status, BuildStatus::kFailed);
  EXPECT_EQ(found->log, artifact.log);
  EXPECT_EQ(found->build_seconds, 1.5);
  EXPECT_TRUE(found->cached);
}

TEST_F(CacheTest, EntryThatWasNotFinishedIsNone) {
  const std::string folder = Must(cache_.Begin("k"));
  ASSERT_TRUE(os::WriteFileAtomically(folder + "/a.so", "half"));
  EXPECT_FALSE(cache_.Find("k"));
  Must(cache_.Begin("k"));
  EXPECT_TRUE(fs::is_empty(folder));
}

TEST_F(CacheTest, EntryWhoseArtefactIsGoneOrThatIsGarbageIsNone) {
  Add("gone", 10, 0);
  fs::remove(path() + "/store/gone/a.so");
  EXPECT_FALSE(cache_.Find("gone"));
  Write("store/garbage/result.json", "{\"outcome\": 3}");
  EXPECT_FALSE(cache_.Find("garbage"));
}

TEST_F(CacheTest, ArtefactThatHasChangedIsNone) {
  Add("file", 10, 0);
  EXPECT_TRUE(cache_.Find("file"));
  Write("store/file/a.so", "xxxxxyxxxx");
  EXPECT_FALSE(cache_.Find("file"));
}

TEST_F(CacheTest, FolderWithAChangedOrARenamedFileIsNone) {
  Artifact artifact;
  artifact.status = BuildStatus::kOk;
  artifact.path = Must(cache_.Begin("tree")) + "/torch_extensions";
  Write("store/tree/torch_extensions/a/a.so", "one");
  Write("store/tree/torch_extensions/b/b.so", "two");
  ASSERT_TRUE(cache_.Publish("tree", artifact));
  EXPECT_TRUE(cache_.Find("tree"));
  fs::rename(artifact.path + "/b/b.so", artifact.path + "/b/c.so");
  EXPECT_FALSE(cache_.Find("tree"));
  fs::rename(artifact.path + "/b/c.so", artifact.path + "/b/b.so");
  EXPECT_TRUE(cache_.Find("tree"));
  Write("store/tree/torch_extensions/a/a.so", "on");
  EXPECT_FALSE(cache_.Find("tree"));
}

TEST_F(CacheTest, SharedCacheIsReadAndNotChanged) {
  Add("theirs", 10, 30);
  const fs::path entry = path() + "/store/theirs/result.json";
  const auto used = fs::last_write_time(entry);
  const auto ours =
      Must(ArtifactCache::Open(path() + "/ours", 100000, {path() + "/store"}));
  const auto found = ours.Find("theirs");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->path, path() + "/store/theirs/a.so");
  EXPECT_EQ(fs::last_write_time(entry), used);
  EXPECT_FALSE(ours.Find("nobodys"));
}

// In a process with mounts of its own. 0: as it should be; 1: not; 2: this
// process may not mount.
int UseOnReadOnlyMedia(const std::string& folder) {
  if (::unshare(CLONE_NEWNS) != 0 ||
      ::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
      ::mount(folder.c_str(), folder.c_str(), nullptr, MS_BIND, nullptr) != 0 ||
      ::mount(nullptr, folder.c_str(), nullptr,
              MS_BIND | MS_REMOUNT | MS_RDONLY, nullptr) != 0)
    return 2;
  const auto cache = ArtifactCache::Open(folder, 100000);
  if (!cache || !cache->Find("old")) return 1;
  const auto lock = cache->Lock("new", std::chrono::seconds(1));
  const auto entry = cache->Begin("new");
  if (!lock || !entry) return 1;
  Artifact artifact;
  artifact.status = BuildStatus::kOk;
  artifact.path = *entry + "/a.so";
  if (!os::WriteFileAtomically(artifact.path, "built") ||
      !cache->Publish("new", artifact))
    return 1;
  return cache->Find("new") ? 0 : 1;
}

TEST_F(CacheTest, CacheOnReadOnlyMediaIsReadAndBuildsAreKeptElsewhere) {
  Add("old", 10, 0);
  const pid_t child = ::fork();
  if (child == 0) ::_exit(UseOnReadOnlyMedia(path() + "/store"));
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFEXITED(status));
  if (WEXITSTATUS(status) == 2) GTEST_SKIP() << "not allowed to mount";
  EXPECT_EQ(WEXITSTATUS(status), 0);
  EXPECT_FALSE(cache_.Find("new"));
}

TEST_F(CacheTest, EntriesAreListedByTheirLastUse) {
  Add("new", 5000, 1);
  Add("old", 50000, 10);
  const std::vector<CacheEntry> entries = ReadCache(path() + "/store");
  ASSERT_EQ(entries.size(), 2u);
  EXPECT_EQ(entries[0].key, "old");
  EXPECT_EQ(entries[1].key, "new");
  EXPECT_EQ(entries[0].status, BuildStatus::kOk);
  EXPECT_GE(entries[0].bytes, 50000u);
  EXPECT_EQ(std::chrono::round<std::chrono::hours>(entries[0].unused).count(),
            10);
}

TEST_F(CacheTest, OpenCacheLosesOnlyWhatNobodyUses) {
  Add("recent", 10, 0);
  Add("old", 10, 30);
  const std::string folder = path() + "/store";
  const auto refused = ClearCache(folder, std::chrono::seconds(0));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind(), base::Error::Kind::kUsage);
  EXPECT_TRUE(cache_.Find("recent"));
  EXPECT_EQ(Must(ClearCache(folder, std::chrono::hours(40))).size(), 0u);
  const auto removed = Must(ClearCache(folder, std::chrono::hours(20)));
  ASSERT_EQ(removed.size(), 1u);
  EXPECT_EQ(removed[0].key, "old");
  EXPECT_FALSE(cache_.Find("old"));
}

TEST_F(CacheTest, CacheThatNobodyHasOpenIsEmptied) {
  Add("recent", 10, 0);
  const std::string folder = path() + "/store";
  cache_ = Must(ArtifactCache::Open(path() + "/other", 100000));
  EXPECT_EQ(Must(ClearCache(folder, std::chrono::seconds(0))).size(), 1u);
  EXPECT_EQ(ReadCache(folder).size(), 0u);
}

TEST_F(CacheTest, LeastRecentlyUsedEntriesGoUntilTheRestFits) {
  Add("oldest", 60000, 30);
  Add("old", 60000, 20);
  Add("newer", 10000, 10);  // fits beside "old", in blocks of the disk too
  cache_.Evict();
  EXPECT_FALSE(cache_.Find("oldest"));
  EXPECT_TRUE(cache_.Find("old"));
  EXPECT_TRUE(cache_.Find("newer"));
}

TEST_F(CacheTest, UseKeepsAnEntryAlive) {
  Add("first", 60000, 30);
  Add("second", 60000, 20);
  cache_.Find("first");
  cache_.Evict();
  EXPECT_TRUE(cache_.Find("first"));
  EXPECT_FALSE(cache_.Find("second"));
}

TEST_F(CacheTest, EntriesOfTheLastHourAreNeverRemoved) {
  Add("a", 90000, 0);
  Add("b", 90000, 0);
  cache_.Evict();
  EXPECT_TRUE(cache_.Find("a"));
  EXPECT_TRUE(cache_.Find("b"));
}

TEST(ParseBytes, UnitsArePowersOf1024AndNonsenseIsRefused) {
  EXPECT_EQ(Must(ParseBytes("4G")), uint64_t{4} << 30);
  EXPECT_EQ(Must(ParseBytes("500M")), uint64_t{500} << 20);
  EXPECT_EQ(Must(ParseBytes("12")), 12u);
  for (const char* text : {"", "G", "4 G", "-1", "4T", "99999999999G"})
    EXPECT_FALSE(ParseBytes(text)) << text;
}

}  // namespace
}  // namespace kb::compile
