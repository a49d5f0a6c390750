#pragma once

#include <sqlite3.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "base/result.h"

namespace kb::store {

struct StatementFinalizer {
  void operator()(sqlite3_stmt* statement) const {
    sqlite3_finalize(statement);
  }
};

// A prepared statement. Columns count from 0 in call order: Bind() sets the
// next parameter, Text(), Integer(), ... read the next column of the row.
class Statement {
 public:
  Statement(sqlite3_stmt* statement, std::string path)
      : statement_(statement), path_(std::move(path)) {}

  void BindText(std::string_view text);
  void BindBlob(std::string_view bytes);
  void BindInteger(int64_t value);
  void BindReal(double value);  // NaN becomes NULL
  void BindNull();

  // True: there is a row to read. False: it has ended.
  base::Result<bool> Step();
  // Runs a statement that returns no row and makes it ready to run again.
  base::Result<void> Run();
  // Ready to bind and run again.
  void Reset();

  bool IsNull() const;  // the next column, which stays the next
  void Skip() { ++column_; }
  std::string Text();
  int64_t Integer();
  double Real();  // NULL reads as NaN

 private:
  std::unique_ptr<sqlite3_stmt, StatementFinalizer> statement_;
  std::string path_;
  int parameter_ = 0;
  int column_ = 0;
};

struct DatabaseCloser {
  void operator()(sqlite3* database) const { sqlite3_close_v2(database); }
};

// An open database file that waits for other writers. Must outlive its
// statements.
class Database {
 public:
  enum class Access {
    kCreate,  // a missing file is made
    kWrite,
    kFixed,  // nobody can write the file, so that no lock is needed either
  };
  static base::Result<Database> Open(const std::string& path, Access access);

  // Readers and a writer do not wait for each other. Changes the file, so only
  // for one that is ours.
  base::Result<void> UseWriteAheadLog();
  // One or more statements without parameters.
  base::Result<void> Execute(const char* sql);
  base::Result<Statement> Prepare(const std::string& sql);
  // The one number that `sql` selects.
  base::Result<int64_t> SelectInteger(const std::string& sql);
  int64_t LastRowId() const { return sqlite3_last_insert_rowid(handle_.get()); }
  // The statement that failed last did not fit the tables that are there.
  bool FailedByTables() const {
    return sqlite3_errcode(handle_.get()) == SQLITE_ERROR;
  }
  const std::string& path() const { return path_; }

 private:
  Database(sqlite3* handle, std::string path)
      : handle_(handle), path_(std::move(path)) {}
  std::unique_ptr<sqlite3, DatabaseCloser> handle_;
  std::string path_;
};

// Rolled back on destruction unless committed. The database must outlive it.
class Transaction {
 public:
  enum class Kind { kRead, kWrite };
  static base::Result<Transaction> Begin(Database* database, Kind kind);
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  Transaction(Transaction&& other) noexcept
      : database_(std::exchange(other.database_, nullptr)) {}
  Transaction& operator=(Transaction&&) = delete;
  ~Transaction();
  base::Result<void> Commit();

 private:
  explicit Transaction(Database* database) : database_(database) {}
  Database* database_;
};

// What went wrong with the file and what to do, from an SQLite result code.
tl::unexpected<base::Error> FailSqlite(const std::string& path, int code,
                                       const char* words);

}  // namespace kb::store
