// Rows of what was asked for, and of how far that came.

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "codec.h"
#include "columns.h"

namespace kb::store {
namespace {

using base::Result;
using record::Request;

// What two requests for the same problem share.
std::string KeyOf(const Request& request) {
  return fmt::format(
      "{}\n{}\n{}\n{}\n{}\n{}", request.model, request.problem_id,
      request.problem_hash, record::SizeName(request.size),
      record::PrecisionName(request.precision), request.device_name);
}

}  // namespace

Result<void> InsertRequests(Database* database,
                            const std::vector<Request>& requests) {
  KB_ASSIGN(
      Statement insert,
      database->Prepare("INSERT OR IGNORE" +
                        InsertSql("requests", ColumnsOf<Request>()).substr(6)));
  for (const Request& request : requests) {
    PutAll(&insert, request);
    KB_TRY(insert.Run());
  }
  return base::Ok();
}

Result<std::vector<Request>> SelectRequests(Database* database) {
  KB_ASSIGN(Statement query,
            database->Prepare("SELECT " + ColumnsOf<Request>() +
                              " FROM requests ORDER BY id"));
  std::map<std::string, size_t> known;  // by KeyOf
  std::vector<Request> requests;
  while (true) {
    KB_ASSIGN(const bool row, query.Step());
    if (!row) return requests;
    Request request;
    const auto read = TakeAll(&query, &request);
    if (!read) return base::Propagate(read.error().Wrap(database->path()));
    const auto [at, is_new] =
        known.try_emplace(KeyOf(request), requests.size());
    if (is_new)
      requests.push_back(std::move(request));
    else if (request.samples > requests[at->second].samples)
      requests[at->second] = std::move(request);
  }
}

Result<std::optional<record::Progress>> SelectProgress(Database* database) {
  KB_ASSIGN(Statement query,
            database->Prepare(
                "SELECT progress FROM progress ORDER BY id DESC LIMIT 1"));
  KB_ASSIGN(const bool row, query.Step());
  if (!row) return std::optional<record::Progress>();
  const std::string name = query.Text();
  const auto progress = record::ParseProgress(name);
  if (!progress)
    return base::Fail("{}: \"{}\" is no progress", database->path(), name);
  return progress;
}

}  // namespace kb::store
