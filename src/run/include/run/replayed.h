#pragma once

#include "base/result.h"
#include "llm/model.h"
#include "llm/provider.h"
#include "store/store.h"

namespace kb::run {

// Samples of a folder that is replayed are numbered by its sorted files. A
// usage Error where at the place of an answer that `store` holds another file
// is now, or none: the run would judge one file twice and another never. Files
// may be added behind all others of their problem. Of another model Ok.
base::Result<void> CheckReplayed(const store::Store& store,
                                 const llm::Model& model,
                                 llm::Provider* provider);

}  // namespace kb::run
