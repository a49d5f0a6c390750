#include "store/store.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/json.h"
#include "base/mutex.h"
#include "base/text.h"
#include "codec.h"
#include "length.h"
#include "migrations.h"
#include "sqlite.h"
#include "store/writer.h"

namespace kb::store {

namespace fs = std::filesystem;
using base::Json;
using base::Result;

namespace {

// Whether we may make files beside it.
bool MayWriteBeside(const std::string& path) {
  std::error_code error;
  const std::string folder = fs::absolute(path, error).parent_path();
  return !error && access(folder.c_str(), W_OK) == 0;
}

// There, and not to be written by us: of another user, or on other media.
bool IsFixed(const std::string& path) {
  return access(path.c_str(), R_OK) == 0 &&
         (access(path.c_str(), W_OK) != 0 || !MayWriteBeside(path));
}

// In a few words where both are JSON objects, such as policies.
std::string Difference(const std::string& name, const std::string& there,
                       const std::string& wanted) {
  constexpr size_t kTold = 3;
  const auto old = base::ParseJson(there, name);
  const auto now = base::ParseJson(wanted, name);
  if (!old || !now || !old->is_object() || !now->is_object())
    return fmt::format("{} is {} there, not {}", name, there, wanted);
  std::set<std::string> keys;
  for (const Json& object : {*old, *now})
    for (const auto& member : object.items()) keys.insert(member.key());
  std::vector<std::string> differ;
  const auto text = [](const Json& object, const std::string& key) {
    if (!object.contains(key)) return std::string("absent");
    return object[key].is_string() ? object[key].get<std::string>()
                                   : base::DumpJson(object[key]);
  };
  for (const std::string& key : keys)
    if (text(*old, key) != text(*now, key))
      differ.push_back(fmt::format("{} is {} there, not {}", key,
                                   text(*old, key), text(*now, key)));
  if (differ.empty()) return fmt::format("{} was written otherwise", name);
  const auto own_name = std::ranges::find_if(
      differ,
      [](const std::string& each) { return each.starts_with("name "); });
  if (own_name != differ.end())
    std::rotate(differ.begin(), own_name, own_name + 1);
  const size_t more = differ.size() - std::min(differ.size(), kTold);
  differ.resize(differ.size() - more);
  return fmt::format("{}: {}{}", name, fmt::join(differ, ", "),
                     more > 0 ? fmt::format(" and {} more", more) : "");
}

}  // namespace

struct Store::State {
  explicit State(Database opened, std::optional<Appender> joined = std::nullopt)
      : appender(std::move(joined)), database(std::move(opened)) {}
  // Given up after the database is closed.
  const std::optional<Appender> appender;
  // A transaction belongs to the connection, not to the thread.
  base::Mutex mutex;
  Database database KB_GUARDED_BY(mutex);
};

Store::Store(std::unique_ptr<State> state) : state_(std::move(state)) {}
Store::Store(Store&&) noexcept = default;
Store& Store::operator=(Store&&) noexcept = default;
Store::~Store() = default;

Result<Store> Store::Open(const std::string& path, Mode mode) {
  const bool create = mode == Mode::kCreate;
  std::error_code ignored;
  if (!create && fs::is_directory(path, ignored))
    return base::Usage(
        "{} is a folder, not a store; of a run of KernelBench's own scripts "
        "`kernelbench import {} --level N --store X.db` makes one",
        path, path);
  if (!create && IsFixed(path)) {
    KB_TRY(CheckLength(path));
    KB_ASSIGN(Database fixed, Database::Open(path, Database::Access::kFixed));
    KB_TRY(CheckNewest(&fixed, Steps()));
    return Store(std::make_unique<State>(std::move(fixed)));
  }
  KB_TRY(CheckLength(path));
  std::optional<Appender> appender;
  // Where we may not, SQLite says what is wrong with the place.
  if (create && MayWriteBeside(path)) {
    KB_ASSIGN(Appender joined, Appender::Join(path));
    appender.emplace(std::move(joined));
  }
  KB_ASSIGN(Database database,
            Database::Open(path, create ? Database::Access::kCreate
                                        : Database::Access::kWrite));
  // A new file is made by who creates.
  std::error_code error;
  if (!create && fs::file_size(path, error) == 0)
    return base::Usage("{}: the file is empty", path);
  KB_TRY(Migrate(&database, Steps()));
  KB_TRY(database.UseWriteAheadLog());
  return Store(
      std::make_unique<State>(std::move(database), std::move(appender)));
}

Result<void> Store::CheckWhole() const {
  const base::MutexLock lock(&state_->mutex);
  KB_ASSIGN(Statement check, state_->database.Prepare("PRAGMA quick_check(1)"));
  KB_ASSIGN(const bool row, check.Step());
  const std::string found = row ? check.Text() : "";
  if (found == "ok") return base::Ok();
  return base::Usage("{}: the file is damaged ({}); restore a copy",
                     state_->database.path(), base::Printable(found));
}

template <typename T>
Result<int64_t> Store::AppendRow(const T& value) {
  const base::MutexLock lock(&state_->mutex);
  Database* database = &state_->database;
  KB_ASSIGN(Transaction transaction,
            Transaction::Begin(database, Transaction::Kind::kWrite));
  KB_ASSIGN(const int64_t id, Insert(database, value));
  KB_TRY(transaction.Commit());
  return id;
}

Result<int64_t> Store::Append(const record::Evaluation& evaluation) {
  return AppendRow(evaluation);
}

Result<int64_t> Store::Append(const record::Generation& generation) {
  return AppendRow(generation);
}

Result<int64_t> Store::Append(const record::Baseline& baseline) {
  return AppendRow(baseline);
}

Result<std::vector<record::Evaluation>> Store::Evaluations(
    const Filter& filter) const {
  const base::MutexLock lock(&state_->mutex);
  Database* database = &state_->database;
  KB_ASSIGN(const Transaction transaction,
            Transaction::Begin(database, Transaction::Kind::kRead));
  return Select(database, filter);
}

Result<std::vector<record::Outcome>> Store::Outcomes(
    const Filter& filter) const {
  const base::MutexLock lock(&state_->mutex);
  Database* database = &state_->database;
  KB_ASSIGN(const Transaction transaction,
            Transaction::Begin(database, Transaction::Kind::kRead));
  return SelectOutcomes(database, filter);
}

Result<std::map<std::string, record::Policy>> Store::Policies() const {
  const base::MutexLock lock(&state_->mutex);
  KB_ASSIGN(Statement query,
            state_->database.Prepare(
                "SELECT bytes, hash FROM blobs WHERE hash IN "
                "(SELECT DISTINCT policy_hash FROM evaluations)"));
  std::map<std::string, record::Policy> policies;
  while (true) {
    KB_ASSIGN(const bool row, query.Step());
    if (!row) return policies;
    const std::string text = query.Text();
    KB_ASSIGN(const base::Json json, base::ParseJson(text, "policy"));
    const std::string hash = query.Text();
    if (auto policy = record::PolicyFromJson(json))
      policies.emplace(hash, std::move(*policy));
  }
}

Result<std::map<int64_t, std::string>> Store::Isolations() const {
  const base::MutexLock lock(&state_->mutex);
  KB_ASSIGN(Statement query,
            state_->database.Prepare("SELECT id, isolation FROM evaluations"));
  std::map<int64_t, std::string> isolations;
  while (true) {
    KB_ASSIGN(const bool row, query.Step());
    if (!row) return isolations;
    const int64_t id = query.Integer();
    isolations[id] = query.Text();
  }
}

Result<std::vector<record::Generation>> Store::Generations(
    const GenerationFilter& filter) const {
  const base::MutexLock lock(&state_->mutex);
  return SelectGenerations(&state_->database, filter);
}

Result<std::vector<record::Baseline>> Store::Baselines() const {
  const base::MutexLock lock(&state_->mutex);
  return SelectBaselines(&state_->database);
}

Result<void> Store::AddRequests(const std::vector<record::Request>& requests) {
  const base::MutexLock lock(&state_->mutex);
  Database* database = &state_->database;
  KB_ASSIGN(Transaction transaction,
            Transaction::Begin(database, Transaction::Kind::kWrite));
  KB_TRY(InsertRequests(database, requests));
  return transaction.Commit();
}

Result<std::vector<record::Request>> Store::Requests() const {
  const base::MutexLock lock(&state_->mutex);
  return SelectRequests(&state_->database);
}

Result<void> Store::AddProgress(record::Progress progress) {
  const base::MutexLock lock(&state_->mutex);
  KB_ASSIGN(
      Statement insert,
      state_->database.Prepare("INSERT INTO progress (progress) VALUES (?)"));
  insert.BindText(record::ProgressName(progress));
  return insert.Run();
}

Result<std::optional<record::Progress>> Store::LastProgress() const {
  const base::MutexLock lock(&state_->mutex);
  return SelectProgress(&state_->database);
}

Result<void> Store::AddDecisions(
    const std::vector<record::Decision>& decisions) {
  if (decisions.empty()) return base::Ok();
  const base::MutexLock lock(&state_->mutex);
  Database* database = &state_->database;
  KB_ASSIGN(Transaction transaction,
            Transaction::Begin(database, Transaction::Kind::kWrite));
  KB_TRY(InsertDecisions(database, decisions));
  return transaction.Commit();
}

Result<std::vector<record::Decision>> Store::Decisions(
    const std::optional<std::string>& problem_id) const {
  const base::MutexLock lock(&state_->mutex);
  return SelectDecisions(&state_->database, problem_id);
}

Result<std::map<std::string, std::string>> Store::Manifest() const {
  const base::MutexLock lock(&state_->mutex);
  KB_ASSIGN(Statement query,
            state_->database.Prepare("SELECT name, value FROM manifest"));
  std::map<std::string, std::string> manifest;
  while (true) {
    KB_ASSIGN(const bool row, query.Step());
    if (!row) return manifest;
    std::string name = query.Text();
    manifest[name] = query.Text();
  }
}

Result<void> Store::AddToManifest(
    const std::map<std::string, std::string>& entries) {
  const base::MutexLock lock(&state_->mutex);
  Database* database = &state_->database;
  KB_ASSIGN(Transaction transaction,
            Transaction::Begin(database, Transaction::Kind::kWrite));
  for (const auto& [name, value] : entries) {
    KB_ASSIGN(Statement insert,
              database->Prepare("INSERT OR IGNORE INTO manifest (name, value) "
                                "VALUES (?, ?)"));
    insert.BindText(name);
    insert.BindText(value);
    KB_TRY(insert.Run());
    KB_ASSIGN(Statement query,
              database->Prepare("SELECT value FROM manifest WHERE name = ?"));
    query.BindText(name);
    KB_ASSIGN(const bool row, query.Step());
    const std::string there = row ? query.Text() : "";
    if (there != value)
      return base::Usage("{}: {}", database->path(),
                         Difference(name, there, value));
  }
  return transaction.Commit();
}

}  // namespace kb::store
