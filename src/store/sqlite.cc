#include "sqlite.h"

#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <filesystem>
#include <limits>
#include <thread>
#include <utility>

#include "base/check.h"

namespace kb::store {
namespace {

using base::Result;

// An append holds the lock for milliseconds; a reader that migrates a large
// file may hold it for seconds.
constexpr std::chrono::milliseconds kBusyTimeout{30000};
constexpr std::chrono::milliseconds kBusyPause{10};

const char* Advice(int code) {
  switch (code & 0xff) {
    case SQLITE_CANTOPEN:
      return "check that the folder exists and that you may write to it, or "
             "choose another file";
    case SQLITE_READONLY:
    case SQLITE_PERM:
    case SQLITE_AUTH:
      return "the file and its folder must be writable; change their "
             "permissions or copy the file elsewhere";
    case SQLITE_NOTADB:
      return "the file is not a kernelbench store; choose another file name";
    case SQLITE_CORRUPT:
      return "the file is damaged; restore a copy, or save what is left with "
             "`sqlite3 FILE .recover`";
    case SQLITE_FULL:
    case SQLITE_IOERR:
      return "check the free space and the quota of that disk and run again; "
             "what was stored before is safe";
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return "another program holds the file; end it and run again";
    default:
      return "this is unexpected; please report it";
  }
}

// Where nothing can be made SQLite cannot look for a log of writing ahead. One
// that is there is read.
std::string FixedUri(const std::string& path) {
  std::string uri = "file:";
  for (const char c : path) {
    const bool special = c == '%' || c == '?' || c == '#';
    uri += special ? fmt::format("%{:02x}", static_cast<unsigned char>(c))
                   : std::string(1, c);
  }
  std::error_code error;
  return std::filesystem::exists(path + "-wal", error) ? uri
                                                       : uri + "?immutable=1";
}

}  // namespace

tl::unexpected<base::Error> FailSqlite(const std::string& path, int code,
                                       const char* words) {
  std::string text = fmt::format("{}: {}: {}", path, words, Advice(code));
  // Another file has to be named; what else goes wrong is our business.
  if ((code & 0xff) == SQLITE_NOTADB || (code & 0xff) == SQLITE_CANTOPEN)
    return base::Usage("{}", text);
  return base::Fail("{}", text);
}

void Statement::BindText(std::string_view text) {
  // A null pointer would bind NULL.
  const char* data = text.data() == nullptr ? "" : text.data();
  KB_CHECK(sqlite3_bind_text64(statement_.get(), ++parameter_, data,
                               text.size(), SQLITE_TRANSIENT,
                               SQLITE_UTF8) == SQLITE_OK);
}

void Statement::BindBlob(std::string_view bytes) {
  const char* data = bytes.data() == nullptr ? "" : bytes.data();
  KB_CHECK(sqlite3_bind_blob64(statement_.get(), ++parameter_, data,
                               bytes.size(), SQLITE_TRANSIENT) == SQLITE_OK);
}

void Statement::BindInteger(int64_t value) {
  KB_CHECK(sqlite3_bind_int64(statement_.get(), ++parameter_, value) ==
           SQLITE_OK);
}

void Statement::BindReal(double value) {
  KB_CHECK(sqlite3_bind_double(statement_.get(), ++parameter_, value) ==
           SQLITE_OK);
}

void Statement::BindNull() {
  KB_CHECK(sqlite3_bind_null(statement_.get(), ++parameter_) == SQLITE_OK);
}

Result<bool> Statement::Step() {
  column_ = 0;
  const int code = sqlite3_step(statement_.get());
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  return FailSqlite(path_, code,
                    sqlite3_errmsg(sqlite3_db_handle(statement_.get())));
}

Result<void> Statement::Run() {
  const Result<bool> row = Step();
  Reset();
  if (!row) return base::Propagate(row.error());
  return base::Ok();
}

void Statement::Reset() {
  // The code repeats the error of Step(), which has been reported.
  static_cast<void>(sqlite3_reset(statement_.get()));
  parameter_ = 0;
  column_ = 0;
}

bool Statement::IsNull() const {
  return sqlite3_column_type(statement_.get(), column_) == SQLITE_NULL;
}

std::string Statement::Text() {
  const int column = column_++;
  const void* data = sqlite3_column_blob(statement_.get(), column);
  const int size = sqlite3_column_bytes(statement_.get(), column);
  if (data == nullptr) return {};
  return std::string(static_cast<const char*>(data), static_cast<size_t>(size));
}

int64_t Statement::Integer() {
  return sqlite3_column_int64(statement_.get(), column_++);
}

double Statement::Real() {
  if (IsNull()) {
    Skip();
    return std::numeric_limits<double>::quiet_NaN();
  }
  return sqlite3_column_double(statement_.get(), column_++);
}

Result<Database> Database::Open(const std::string& path, Access access) {
  sqlite3* handle = nullptr;
  int flags = SQLITE_OPEN_FULLMUTEX;
  flags |= access == Access::kFixed ? SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
                                    : SQLITE_OPEN_READWRITE;
  if (access == Access::kCreate) flags |= SQLITE_OPEN_CREATE;
  const std::string name = access == Access::kFixed ? FixedUri(path) : path;
  const int code = sqlite3_open_v2(name.c_str(), &handle, flags, nullptr);
  Database database(handle, path);
  if (code != SQLITE_OK)
    return FailSqlite(
        path, code,
        handle == nullptr ? sqlite3_errstr(code) : sqlite3_errmsg(handle));
  sqlite3_busy_timeout(handle, static_cast<int>(kBusyTimeout.count()));
  // NORMAL: with the write-ahead log a commit outlives this process, whatever
  // ends it, without waiting for the disk. A power failure may take the last
  // commits, never the file.
  KB_TRY(database.Execute("PRAGMA synchronous=NORMAL; PRAGMA foreign_keys=ON"));
  return database;
}

Result<void> Database::Execute(const char* sql) {
  const int code = sqlite3_exec(handle_.get(), sql, nullptr, nullptr, nullptr);
  if (code == SQLITE_OK) return base::Ok();
  return FailSqlite(path_, code, sqlite3_errmsg(handle_.get()));
}

Result<Statement> Database::Prepare(const std::string& sql) {
  sqlite3_stmt* statement = nullptr;
  const int code =
      sqlite3_prepare_v2(handle_.get(), sql.c_str(),
                         static_cast<int>(sql.size()), &statement, nullptr);
  if (code != SQLITE_OK)
    return FailSqlite(path_, code, sqlite3_errmsg(handle_.get()));
  return Statement(statement, path_);
}

Result<int64_t> Database::SelectInteger(const std::string& sql) {
  KB_ASSIGN(Statement statement, Prepare(sql));
  KB_ASSIGN(const bool row, statement.Step());
  KB_CHECK(row);
  return statement.Integer();
}

// SQLite does not wait for other connections while it changes the journal
// mode, so we do. A file system without shared memory keeps its old mode.
Result<void> Database::UseWriteAheadLog() {
  const auto deadline = std::chrono::steady_clock::now() + kBusyTimeout;
  while (true) {
    const int code = sqlite3_exec(handle_.get(), "PRAGMA journal_mode=WAL",
                                  nullptr, nullptr, nullptr);
    if (code == SQLITE_OK) return base::Ok();
    if ((code & 0xff) != SQLITE_BUSY ||
        std::chrono::steady_clock::now() > deadline)
      return FailSqlite(path_, code, sqlite3_errmsg(handle_.get()));
    std::this_thread::sleep_for(kBusyPause);
  }
}

Result<Transaction> Transaction::Begin(Database* database, Kind kind) {
  KB_TRY(database->Execute(kind == Kind::kWrite ? "BEGIN IMMEDIATE"
                                                : "BEGIN DEFERRED"));
  return Transaction(database);
}

Transaction::~Transaction() {
  if (database_ == nullptr) return;
  // Fails only when SQLite has already rolled back by itself (disk full).
  static_cast<void>(database_->Execute("ROLLBACK"));
}

Result<void> Transaction::Commit() {
  KB_TRY(database_->Execute("COMMIT"));
  database_ = nullptr;
  return base::Ok();
}

}  // namespace kb::store
