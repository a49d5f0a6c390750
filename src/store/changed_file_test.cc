#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>

#include "os/files.h"
#include "sqlite.h"
#include "store/store.h"

namespace kb::store {
namespace {

// A view that never ends in the place of a table, and a trigger that does
// something else than the one of its name.
TEST(ChangedFile, WhatNoStoreHasIsNotRead) {
  for (const char* sql :
       {"DROP TABLE manifest; CREATE VIEW manifest AS WITH RECURSIVE n(i) AS "
        "(SELECT 1 UNION ALL SELECT i FROM n) SELECT i AS key, i AS value "
        "FROM n",
        "DROP TRIGGER evaluations_stay; CREATE TRIGGER evaluations_stay AFTER "
        "INSERT ON evaluations BEGIN DELETE FROM trials; END"}) {
    const auto folder = os::TempDir::Create();
    ASSERT_TRUE(folder);
    const std::string path = folder->path() + "/run.db";
    ASSERT_TRUE(Store::Open(path));
    ASSERT_TRUE(Store::Open(path, Store::Mode::kExisting)) << "as it is";
    {
      auto database = Database::Open(path, Database::Access::kWrite);
      ASSERT_TRUE(database && database->Execute(sql));
    }
    for (const auto mode : {Store::Mode::kExisting, Store::Mode::kCreate}) {
      const auto opened = Store::Open(path, mode);
      ASSERT_FALSE(opened) << sql;
      EXPECT_NE(opened.error().message().find("which no store has"),
                std::string::npos)
          << opened.error().message();
    }
  }
}

// A new one of many pages.
base::Result<Store> OpenLong(const std::string& path) {
  KB_ASSIGN(Store store, Store::Open(path));
  KB_TRY(store.AddToManifest({{"long", std::string(300000, 'x')}}));
  return store;
}

// A copy that broke off. SQLite would read the rows that are left, at some
// lengths without a word, and add to them.
TEST(ChangedFile, OneThatIsShorterThanItSaysIsDamaged) {
  const auto folder = os::TempDir::Create();
  ASSERT_TRUE(folder);
  const std::string path = folder->path() + "/run.db";
  ASSERT_TRUE(OpenLong(path));
  const uint64_t whole = std::filesystem::file_size(path);
  ASSERT_TRUE(Store::Open(path, Store::Mode::kExisting)) << "as it is";
  for (const uint64_t bytes : {whole - 1, whole - 4096, whole / 2}) {
    std::filesystem::resize_file(path, bytes);
    for (const auto mode : {Store::Mode::kExisting, Store::Mode::kCreate}) {
      const auto opened = Store::Open(path, mode);
      ASSERT_FALSE(opened) << bytes;
      EXPECT_EQ(opened.error().kind(), base::Error::Kind::kUsage);
      EXPECT_NE(opened.error().message().find("run.db: the file is damaged"),
                std::string::npos)
          << opened.error().message();
    }
    EXPECT_EQ(std::filesystem::file_size(path), bytes) << "nothing is added";
  }
}

// While its pages are in the log.
TEST(ChangedFile, OneThatIsInUseMayBeShort) {
  const auto folder = os::TempDir::Create();
  ASSERT_TRUE(folder);
  const std::string path = folder->path() + "/run.db";
  const auto store = OpenLong(path);
  ASSERT_TRUE(store);
  const auto reader = Store::Open(path, Store::Mode::kExisting);
  ASSERT_TRUE(reader) << reader.error().message();
  EXPECT_TRUE(reader->CheckWhole());
}

TEST(ChangedFile, StructureThatDoesNotHoldIsDamage) {
  const auto folder = os::TempDir::Create();
  ASSERT_TRUE(folder);
  const std::string path = folder->path() + "/run.db";
  {
    const auto store = OpenLong(path);
    ASSERT_TRUE(store);
    EXPECT_TRUE(store->CheckWhole());
  }
  // The last page of the long text, which nothing reads at once.
  std::fstream file(path, std::ios::binary | std::ios::in | std::ios::out);
  file.seekp(-4096, std::ios::end);
  file.write("\xff\xff\xff\xff", 4);
  file.close();
  const auto store = Store::Open(path);
  ASSERT_TRUE(store) << store.error().message();
  const auto whole = store->CheckWhole();
  ASSERT_FALSE(whole);
  EXPECT_NE(whole.error().message().find("run.db: the file is damaged"),
            std::string::npos)
      << whole.error().message();
}

}  // namespace
}  // namespace kb::store
