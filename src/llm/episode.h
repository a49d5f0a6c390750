#pragma once

#include <memory>

#include "llm/provider.h"

namespace kb::llm {

// Runs Model::command once for each sample, for all its turns. Of each turn it
// is sent a line (JsonLineOf) on its standard input and answers with a line
// {"answer": "...", "usage": {"input": 1, "cached": 0, "output": 1,
// "reasoning": 0}, "usd": 0.1}, of which all but the answer may be left out.
// When no more is asked its standard input ends; a while later it is killed.
std::unique_ptr<Provider> MakeEpisodes(const Model& model);

}  // namespace kb::llm
