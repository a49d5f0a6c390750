#include <gtest/gtest.h>

#include <filesystem>
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

}  // namespace
}  // namespace kb::store
