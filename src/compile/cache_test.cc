#include "cache.h"

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

TEST_F(CacheTest, LeastRecentlyUsedEntriesGoUntilTheRestFits) {
  Add("oldest", 60000, 30);
  Add("old", 60000, 20);
  Add("newer", 30000, 10);
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
