#pragma once

#include <vector>

#include "base/result.h"
#include "sqlite.h"

namespace kb::store {

// SQL that turns a file of version `version - 1` into one of `version`.
struct Step {
  int64_t version;
  const char* sql;
};

// Steps 1 to now, without a gap.
const std::vector<Step>& Steps();

// Brings the file to the last step, all steps in one transaction. A new file
// is at version 0. Errors: a file of a newer version, or one that is not ours.
base::Result<void> Migrate(Database* database, const std::vector<Step>& steps);

// An Error, which says what to do, unless the file is at the last step.
base::Result<void> CheckNewest(Database* database,
                               const std::vector<Step>& steps);

}  // namespace kb::store
