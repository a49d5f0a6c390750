// One conversation: each answer is asked for with what became of the one
// before.

#include <utility>

#include "conversation.h"
#include "strategies.h"

namespace kb::search {
namespace {

using record::Ask;
using record::AskKind;
using record::Told;

class Refinement : public Strategy {
 public:
  std::optional<Ask> Next(int64_t turn) override {
    if (is_open_ || is_over_) return std::nullopt;
    is_open_ = true;
    if (!last_) return Ask{turn, AskKind::kFirst, {}, ""};
    return Ask{turn, AskKind::kRefine, {*last_}, ""};
  }
  void Tell(const Told& told) override {
    is_open_ = false;
    last_ = told.turn;
    is_over_ = !GoesOn(told);
  }

 private:
  bool is_open_ = false;
  bool is_over_ = false;
  std::optional<int64_t> last_;
};

}  // namespace

bool GoesOn(const Told& told) {
  using record::GenerationStatus;
  // Who refused, or gave nothing that can be read, does so again.
  if (told.status == GenerationStatus::kRefused ||
      told.status == GenerationStatus::kFailed)
    return false;
  // No answer helps a machine that cannot run it, or that fails.
  return told.status != GenerationStatus::kComplete ||
         (told.verdict && told.verdict != record::Verdict::kInfraError);
}

Row RefinementRow() {
  return {"refinement",
          "one conversation, each answer with what became of the one before",
          {},
          [](const Values&, uint64_t) -> std::unique_ptr<Strategy> {
            return std::make_unique<Refinement>();
          }};
}

}  // namespace kb::search
