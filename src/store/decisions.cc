// Rows of what searches decided.

#include "codec.h"
#include "columns.h"

namespace kb::store {

using base::Result;
using record::Decision;

Result<void> InsertDecisions(Database* database,
                             const std::vector<Decision>& decisions) {
  KB_ASSIGN(Statement insert,
            database->Prepare(InsertSql("decisions", ColumnsOf<Decision>())));
  for (const Decision& decision : decisions) {
    PutAll(&insert, decision);
    KB_TRY(insert.Run());
  }
  return base::Ok();
}

Result<std::vector<Decision>> SelectDecisions(
    Database* database, const std::optional<std::string>& problem_id) {
  KB_ASSIGN(Statement query,
            database->Prepare(
                "SELECT " + ColumnsOf<Decision>() + " FROM decisions" +
                (problem_id ? " WHERE problem_id = ?" : "") + " ORDER BY id"));
  if (problem_id) query.BindText(*problem_id);
  std::vector<Decision> decisions;
  while (true) {
    KB_ASSIGN(const bool row, query.Step());
    if (!row) return decisions;
    const auto read = TakeAll(&query, &decisions.emplace_back());
    if (!read) return base::Propagate(read.error().Wrap(database->path()));
  }
}

}  // namespace kb::store
