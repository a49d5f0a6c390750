// Several conversations side by side: best of n of refinements.

#include <fmt/format.h>

#include <utility>

#include "conversation.h"
#include "strategies.h"

namespace kb::search {
namespace {

using record::Ask;
using record::AskKind;
using record::Told;

class ParallelRefinement : public Strategy {
 public:
  ParallelRefinement(int64_t conversations, int64_t depth)
      : chains_(static_cast<size_t>(conversations)), depth_(depth) {}

  // Of those that wait, that with the fewest answers.
  std::optional<Ask> Next(int64_t turn) override {
    const auto total = chains_.size();
    std::optional<size_t> chosen;
    for (size_t i = 0; i < total; ++i)
      if (!chains_[i].is_open &&
          (!chosen || chains_[i].all < chains_[*chosen].all))
        chosen = i;
    if (!chosen) return std::nullopt;
    Chain& chain = chains_[*chosen];
    chain.is_open = true;
    ++chain.all;
    chain_of_[turn] = *chosen;
    Ask ask{
        turn, AskKind::kFirst, {}, fmt::format("conversation {}", *chosen + 1)};
    const std::optional<int64_t> parent = chain.last ? chain.last : from_;
    if (parent) {
      ask.kind = AskKind::kRefine;
      ask.parents = {*parent};
    }
    return ask;
  }

  void Tell(const Told& told) override {
    const auto found = chain_of_.find(told.turn);
    if (found == chain_of_.end()) {
      from_ = told.turn;
      return;
    }
    Chain& chain = chains_[found->second];
    chain.is_open = false;
    chain.last = told.turn;
    ++chain.length;
    // One that is at its end makes room for a new one.
    if (GoesOn(told) && (depth_ == 0 || chain.length < depth_)) return;
    chain.last.reset();
    chain.length = 0;
  }

 private:
  struct Chain {
    bool is_open = false;
    int64_t all = 0;  // asks, also of the conversations before in its place
    int64_t length = 0;
    std::optional<int64_t> last;
  };

  std::vector<Chain> chains_;
  int64_t depth_;
  std::map<int64_t, size_t> chain_of_;  // by turn
  std::optional<int64_t> from_;
};

}  // namespace

Row ParallelRefinementRow() {
  return {
      "parallel-refinement",
      "several conversations in turn; one that ends makes room for a new one",
      {{"conversations", 4, 1, 1000, "side by side"},
       {"depth", 0, 0, 1000,
        "answers of one, then it is begun anew; 0: no end"}},
      [](const Values& values, uint64_t) -> std::unique_ptr<Strategy> {
        return std::make_unique<ParallelRefinement>(
            static_cast<int64_t>(values.at("conversations")),
            static_cast<int64_t>(values.at("depth")));
      }};
}

}  // namespace kb::search
