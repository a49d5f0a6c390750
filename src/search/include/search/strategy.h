#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "record/decision.h"

namespace kb::search {

// How a search goes on from what it knows. Deterministic: the same calls in the
// same order give the same asks, on every machine. It knows no budget: it may
// always be asked for more, so that a search goes on with a larger one.
class Strategy {
 public:
  virtual ~Strategy() = default;

  // The next ask; its answer will be `turn`, which grows with every ask. None:
  // nothing before more is told, or ever, if nothing is left to be told.
  virtual std::optional<record::Ask> Next(int64_t turn) = 0;

  // What became of an ask, each once and in the order of their turns. A turn
  // that Next did not ask for comes before all others: where to begin.
  virtual void Tell(const record::Told& told) = 0;
};

// A strategy by name, with its options: "islands", {{"islands", "4"}}.
struct Choice {
  std::string name;
  std::map<std::string, std::string> options;  // without `parallel` and `seed`
  int64_t parallel = 4;  // asks of a sample that may be open at a time
  uint64_t seed = 0;
  bool operator==(const Choice&) const = default;
};

// "islands:islands=2,crossover=0.5,parallel=8,seed=1". A usage Error names what
// is wrong and what there is.
base::Result<Choice> ParseChoice(const std::string& text);
// The same with every option, also those that were not given.
std::string ChoiceText(const Choice& choice);

// `stream`: which of several searches with the same seed, for example of a
// sample; they draw different numbers.
base::Result<std::unique_ptr<Strategy>> MakeStrategy(const Choice& choice,
                                                     uint64_t stream);

// Asks what a log holds, whatever is told: what was asked of one model is asked
// of another.
std::unique_ptr<Strategy> MakeReplay(std::vector<record::Ask> asks);

// A line for each strategy with its options, for people.
std::string StrategiesText();
// "best-of-n, refinement, ..."
std::string StrategyNames();

}  // namespace kb::search
