#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "base/result.h"
#include "keeper.h"
#include "record/generation.h"
#include "run/run.h"
#include "sample_search.h"
#include "store/store.h"

namespace kb::run {

// What a run still needs.
struct Work {
  std::vector<Wanted> ask;  // samples that are one answer
  std::vector<std::pair<Wanted, record::Generation>> judge;  // answered before
  std::vector<SampleSearch> searches;
  std::vector<Wanted> done;
  Spent spent;  // on all that is there
};

// By what the store has; tells the keeper of it.
base::Result<Work> WorkLeft(const RunPlan& plan, const store::Store& store,
                            Keeper* keeper);

}  // namespace kb::run
