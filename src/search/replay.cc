// What a log holds, once more.

#include <utility>

#include "search/strategy.h"

namespace kb::search {
namespace {

using record::Ask;

class Replay : public Strategy {
 public:
  explicit Replay(std::vector<Ask> asks) : asks_(std::move(asks)) {}

  // An ask waits until its parents are there.
  std::optional<Ask> Next(int64_t turn) override {
    const auto at = static_cast<size_t>(turn - 1);
    if (at >= asks_.size()) return std::nullopt;
    for (const int64_t parent : asks_[at].parents)
      if (parent > told_) return std::nullopt;
    return asks_[at];
  }
  void Tell(const record::Told& told) override { told_ = told.turn; }

 private:
  std::vector<Ask> asks_;
  int64_t told_ = 0;
};

}  // namespace

std::unique_ptr<Strategy> MakeReplay(std::vector<Ask> asks) {
  return std::make_unique<Replay>(std::move(asks));
}

}  // namespace kb::search
