#include "migrations.h"

#include <algorithm>
#include <string>
#include <string_view>

extern "C" const char kb_store_schema[];
extern "C" const char kb_store_schema_2[];
extern "C" const char kb_store_schema_3[];
extern "C" const char kb_store_schema_4[];
extern "C" const char kb_store_schema_5[];
extern "C" const char kb_store_schema_6[];
extern "C" const char kb_store_schema_7[];
extern "C" const char kb_store_schema_8[];
extern "C" const char kb_store_schema_9[];
extern "C" const char kb_store_schema_10[];
extern "C" const char kb_store_schema_11[];
extern "C" const char kb_store_schema_12[];
extern "C" const char kb_store_schema_13[];
extern "C" const char kb_store_schema_14[];
extern "C" const char kb_store_schema_15[];

namespace kb::store {
namespace {

using base::Result;

// PRAGMA application_id of our files: "KBst".
constexpr int64_t kApplicationId = 0x4b427374;

Result<bool> IsOurs(Database* database) {
  KB_ASSIGN(const int64_t id, database->SelectInteger("PRAGMA application_id"));
  return id == kApplicationId;
}

// A file that has tables but not our mark belongs to another program.
Result<void> CheckOwner(Database* database) {
  KB_ASSIGN(const bool ours, IsOurs(database));
  KB_ASSIGN(const int64_t objects,
            database->SelectInteger("SELECT count(*) FROM sqlite_master"));
  if (ours || objects == 0) return base::Ok();
  return base::Usage(
      "{}: an SQLite database of another program, not a kernelbench store; "
      "choose another file name",
      database->path());
}

// A file from somebody else may have a view in the place of a table, which
// never ends, or a trigger that rewrites what is added.
Result<void> CheckObjects(Database* database, const std::vector<Step>& steps) {
  KB_ASSIGN(auto objects,
            database->Prepare("SELECT name, sql FROM sqlite_master "
                              "WHERE type IN ('view', 'trigger')"));
  while (true) {
    KB_ASSIGN(const bool more, objects.Step());
    if (!more) return base::Ok();
    const std::string name = objects.Text();
    const std::string sql = objects.Text();
    if (std::ranges::any_of(steps, [&](const Step& step) {
          return std::string_view(step.sql).find(sql) != std::string_view::npos;
        }))
      continue;
    return base::Usage(
        "{}: has \"{}\", which no store has: somebody has changed the file, "
        "and "
        "it is not read",
        database->path(), name);
  }
}

Result<void> CheckVersion(const Database& database, bool ours, int64_t version,
                          int64_t newest) {
  if (version > newest)
    return base::Usage(
        "{}: written by a newer kernelbench (store version {}, this program "
        "knows up to {}); update kernelbench to read it",
        database.path(), version, newest);
  if (version < (ours ? 1 : 0))
    return base::Usage(
        "{}: says that it is a store of version {}, which there never was; the "
        "file is damaged: restore a copy",
        database.path(), version);
  return base::Ok();
}

}  // namespace

const std::vector<Step>& Steps() {
  static const std::vector<Step> kSteps{
      {1, kb_store_schema},     {2, kb_store_schema_2},
      {3, kb_store_schema_3},   {4, kb_store_schema_4},
      {5, kb_store_schema_5},   {6, kb_store_schema_6},
      {7, kb_store_schema_7},   {8, kb_store_schema_8},
      {9, kb_store_schema_9},   {10, kb_store_schema_10},
      {11, kb_store_schema_11}, {12, kb_store_schema_12},
      {13, kb_store_schema_13}, {14, kb_store_schema_14},
      {15, kb_store_schema_15},
  };
  return kSteps;
}

Result<void> Migrate(Database* database, const std::vector<Step>& steps) {
  const int64_t newest = steps.back().version;
  KB_ASSIGN(const bool ours, IsOurs(database));
  KB_ASSIGN(int64_t version, database->SelectInteger("PRAGMA user_version"));
  if (ours) KB_TRY(CheckObjects(database, steps));
  if (ours && version == newest) return base::Ok();

  // Under the lock: another process may be making or migrating the same file.
  KB_ASSIGN(Transaction transaction,
            Transaction::Begin(database, Transaction::Kind::kWrite));
  KB_TRY(CheckOwner(database));
  KB_ASSIGN(version, database->SelectInteger("PRAGMA user_version"));
  KB_TRY(CheckVersion(*database, ours, version, newest));
  for (const Step& step : steps) {
    if (step.version <= version) continue;
    const auto taken = database->Execute(step.sql);
    if (taken) continue;
    if (!ours || !database->FailedByTables())
      return base::Propagate(taken.error());
    return base::Usage(
        "{}: says that it is a store of version {}, but has not its tables; "
        "the "
        "file is damaged: restore a copy",
        database->path(), version);
  }
  const std::string marks =
      fmt::format("PRAGMA user_version={}; PRAGMA application_id={}", newest,
                  kApplicationId);
  KB_TRY(database->Execute(marks.c_str()));
  return transaction.Commit();
}

Result<void> CheckNewest(Database* database, const std::vector<Step>& steps) {
  KB_ASSIGN(const bool ours, IsOurs(database));
  KB_ASSIGN(const int64_t version,
            database->SelectInteger("PRAGMA user_version"));
  if (!ours)
    return base::Usage("{}: not a kernelbench store; choose another file",
                       database->path());
  const int64_t newest = steps.back().version;
  KB_TRY(CheckObjects(database, steps));
  KB_TRY(CheckVersion(*database, ours, version, newest));
  if (version == newest) return base::Ok();
  return base::Usage(
      "{}: a store of version {}, which has to be brought to version {} to be "
      "read; copy it to where you may write",
      database->path(), version, newest);
}

}  // namespace kb::store
