#include "parquet.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <cstdlib>

#include "os/files.h"

namespace kb::problems {
namespace {

using base::Result;

constexpr uint64_t kMaxJsonBytes = uint64_t{1} << 30;

// The parts of duckdb.h (1.x, a stable C interface) that we call.
extern "C" {
using DuckDatabase = void*;
using DuckConnection = void*;
struct DuckResult {
  uint64_t deprecated_counts[3];
  void* deprecated_columns;
  char* deprecated_error_message;
  void* internal_data;
};
}
constexpr int kDuckSuccess = 0;

class DuckDb {
 public:
  static Result<const DuckDb*> Get() {
    static const Result<DuckDb> kLibrary = Load();
    if (!kLibrary) return tl::unexpected(kLibrary.error());
    return &*kLibrary;
  }

  // Runs statements in a database of their own in memory.
  Result<void> Run(const std::string& sql) const {
    DuckDatabase database = nullptr;
    if (open_(nullptr, &database) != kDuckSuccess)
      return base::Fail("DuckDB does not start");
    DuckConnection connection = nullptr;
    Result<void> ran = base::Fail("DuckDB takes no connection");
    if (connect_(database, &connection) == kDuckSuccess) {
      ran = Query(connection, sql);
      disconnect_(&connection);
    }
    close_(&database);
    return ran;
  }

 private:
  static Result<DuckDb> Load() {
    KB_ASSIGN(const std::string root, os::InstallRoot());
    const char* named = std::getenv("KB_DUCKDB");
    void* handle = nullptr;
    for (const std::string& path :
         {std::string(named == nullptr ? "" : named),
          root + "/lib/libduckdb.so", std::string("libduckdb.so")})
      if (handle == nullptr && !path.empty())
        handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle == nullptr)
      return base::Usage(
          "Parquet files are read with DuckDB's C library, and there is no "
          "libduckdb.so: put it into {}/lib or name it with KB_DUCKDB "
          "(pip's duckdb does not have it; the releases of DuckDB do, as "
          "libduckdb-linux-amd64.zip), or convert the file to JSON Lines",
          root);
    DuckDb library;
    const bool whole =
        Find(handle, "duckdb_open", &library.open_) &&
        Find(handle, "duckdb_close", &library.close_) &&
        Find(handle, "duckdb_connect", &library.connect_) &&
        Find(handle, "duckdb_disconnect", &library.disconnect_) &&
        Find(handle, "duckdb_query", &library.query_) &&
        Find(handle, "duckdb_result_error", &library.error_) &&
        Find(handle, "duckdb_destroy_result", &library.destroy_);
    if (!whole) return base::Fail("libduckdb.so is not DuckDB's C library");
    return library;
  }

  template <typename F>
  static bool Find(void* handle, const char* name, F** function) {
    *function = reinterpret_cast<F*>(dlsym(handle, name));
    return *function != nullptr;
  }

  Result<void> Query(DuckConnection connection, const std::string& sql) const {
    DuckResult result{};
    const int code = query_(connection, sql.c_str(), &result);
    const char* error = error_(&result);
    const std::string message = error == nullptr ? "" : error;
    destroy_(&result);
    if (code == kDuckSuccess) return base::Ok();
    return base::Usage("{}", message.substr(0, message.find('\n')));
  }

  int (*open_)(const char*, DuckDatabase*) = nullptr;
  void (*close_)(DuckDatabase*) = nullptr;
  int (*connect_)(DuckDatabase, DuckConnection*) = nullptr;
  void (*disconnect_)(DuckConnection*) = nullptr;
  int (*query_)(DuckConnection, const char*, DuckResult*) = nullptr;
  const char* (*error_)(DuckResult*) = nullptr;
  void (*destroy_)(DuckResult*) = nullptr;
};

// As an SQL string.
std::string Quoted(const std::string& text) {
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? "''" : std::string(1, c);
  return quoted + "'";
}

}  // namespace

Result<std::string> ParquetAsJsonLines(const std::string& path) {
  KB_ASSIGN(const DuckDb* library, DuckDb::Get());
  KB_ASSIGN(const os::TempDir folder, os::TempDir::Create("kb-parquet"));
  const std::string lines = folder.path() + "/rows.jsonl";
  const auto ran = library->Run(
      fmt::format("SET autoinstall_known_extensions = false;"
                  "SET autoload_known_extensions = false;"
                  "SET preserve_insertion_order = true;"
                  "COPY (SELECT * FROM read_parquet({})) TO {} (FORMAT json);",
                  Quoted(path), Quoted(lines)));
  if (!ran) return tl::unexpected(ran.error());
  return os::ReadFile(lines, kMaxJsonBytes);
}

}  // namespace kb::problems
