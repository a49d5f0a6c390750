// Independent answers to the same question.

#include <utility>

#include "strategies.h"

namespace kb::search {
namespace {

using record::Ask;
using record::AskKind;

class BestOfN : public Strategy {
 public:
  std::optional<Ask> Next(int64_t turn) override {
    if (from_) return Ask{turn, AskKind::kRefine, {*from_}, ""};
    asked_ = true;
    return Ask{turn, AskKind::kFirst, {}, ""};
  }
  void Tell(const record::Told& told) override {
    if (!asked_ && !from_) from_ = told.turn;
  }

 private:
  bool asked_ = false;
  std::optional<int64_t> from_;  // where the search begins
};

}  // namespace

Row BestOfNRow() {
  return {"best-of-n",
          "independent answers; the best counts",
          {},
          [](const Values&, uint64_t) -> std::unique_ptr<Strategy> {
            return std::make_unique<BestOfN>();
          }};
}

}  // namespace kb::search
