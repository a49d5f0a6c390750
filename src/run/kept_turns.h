#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/result.h"
#include "run/asking.h"
#include "run/conversation.h"
#include "store/store.h"

namespace kb::run {

// What a store has of one sample's conversation.
struct KeptTurns {
  std::vector<Turn> turns;  // whole ones, from the first
  // The answer after them, which nobody has judged for good.
  std::optional<record::Generation> unjudged;
  std::set<int64_t> confirmed;  // turns that were judged once more
};
base::Result<KeptTurns> ReadKeptTurns(const store::Store& store,
                                      const std::string& model,
                                      const Wanted& wanted,
                                      const prompt::FeedbackWriter& feedback);

}  // namespace kb::run
