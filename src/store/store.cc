#include "store/store.h"

#include <mutex>
#include <utility>

#include "codec.h"
#include "migrations.h"
#include "sqlite.h"

namespace kb::store {

using base::Result;

struct Store::State {
  explicit State(Database opened) : database(std::move(opened)) {}
  // A transaction belongs to the connection, not to the thread.
  std::mutex mutex;
  Database database;
};

Store::Store(std::unique_ptr<State> state) : state_(std::move(state)) {}
Store::Store(Store&&) noexcept = default;
Store& Store::operator=(Store&&) noexcept = default;
Store::~Store() = default;

Result<Store> Store::Open(const std::string& path, Mode mode) {
  KB_ASSIGN(Database database, Database::Open(path, mode == Mode::kCreate));
  KB_TRY(Migrate(&database, Steps()));
  KB_TRY(database.UseWriteAheadLog());
  return Store(std::make_unique<State>(std::move(database)));
}

template <typename T>
Result<int64_t> Store::AppendRow(const T& value) {
  const std::lock_guard lock(state_->mutex);
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
  const std::lock_guard lock(state_->mutex);
  Database* database = &state_->database;
  KB_ASSIGN(const Transaction transaction,
            Transaction::Begin(database, Transaction::Kind::kRead));
  return Select(database, filter);
}

Result<std::vector<record::Outcome>> Store::Outcomes(
    const Filter& filter) const {
  const std::lock_guard lock(state_->mutex);
  Database* database = &state_->database;
  KB_ASSIGN(const Transaction transaction,
            Transaction::Begin(database, Transaction::Kind::kRead));
  return SelectOutcomes(database, filter);
}

Result<std::vector<record::Generation>> Store::Generations(
    const GenerationFilter& filter) const {
  const std::lock_guard lock(state_->mutex);
  return SelectGenerations(&state_->database, filter);
}

Result<std::vector<record::Baseline>> Store::Baselines() const {
  const std::lock_guard lock(state_->mutex);
  return SelectBaselines(&state_->database);
}

Result<std::map<std::string, std::string>> Store::Manifest() const {
  const std::lock_guard lock(state_->mutex);
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
  const std::lock_guard lock(state_->mutex);
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
      return base::Usage("{}: {} is {} there, not {}", database->path(), name,
                         there, value);
  }
  return transaction.Commit();
}

}  // namespace kb::store
