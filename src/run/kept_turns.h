#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/result.h"
#include "run/asking.h"
#include "run/conversation.h"
#include "store/store.h"

namespace kb::run {

// What a store has of one sample's answers, by turn.
struct KeptTurns {
  std::map<int64_t, Turn> turns;  // those that are judged or hold no program
  std::map<int64_t, record::Generation> unjudged;  // the others
  // Of `turns` those whose times an earlier ruler measured, which is no result
  // of the run any more.
  std::set<int64_t> outdated;
  std::set<int64_t> confirmed;  // turns that were judged once more since
};
base::Result<KeptTurns> ReadKeptTurns(const store::Store& store,
                                      const std::string& model,
                                      const Wanted& wanted,
                                      const prompt::FeedbackWriter& feedback);

}  // namespace kb::run
