#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "record/evaluation.h"
#include "sqlite.h"
#include "store/store.h"

namespace kb::store {

// Adds the rows of one evaluation; the caller holds a write transaction.
// Returns its id.
base::Result<int64_t> Insert(Database* database,
                             const record::Evaluation& evaluation);

base::Result<int64_t> Insert(Database* database,
                             const record::Generation& generation);
base::Result<int64_t> Insert(Database* database,
                             const record::Baseline& baseline);
// `bytes` among the blobs; its hash.
base::Result<std::string> InsertBlob(Database* database,
                                     std::string_view bytes);
// The next two columns: a kept text and the hash that it is kept under. An
// Error when the text has changed since.
base::Result<std::string> TakeBlob(Statement* row);

// The evaluations that pass the filter, oldest first; the caller holds a read
// transaction, so that all their rows are of one moment.
base::Result<std::vector<record::Evaluation>> Select(Database* database,
                                                     const Filter& filter);

// As Store::Outcomes.
base::Result<std::vector<record::Outcome>> SelectOutcomes(Database* database,
                                                          const Filter& filter);

base::Result<std::vector<record::Generation>> SelectGenerations(
    Database* database, const GenerationFilter& filter);

base::Result<std::vector<record::Baseline>> SelectBaselines(Database* database);

base::Result<void> InsertRequests(Database* database,
                                  const std::vector<record::Request>& requests);
base::Result<std::vector<record::Request>> SelectRequests(Database* database);
base::Result<std::optional<record::Progress>> SelectProgress(
    Database* database);

base::Result<void> InsertDecisions(
    Database* database, const std::vector<record::Decision>& decisions);
base::Result<std::vector<record::Decision>> SelectDecisions(
    Database* database, const std::optional<std::string>& problem_id);

}  // namespace kb::store
