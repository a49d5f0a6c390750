#include "base/words.h"
#include "jail/jail.h"

namespace kb::jail {
namespace {

constexpr base::Words<Isolation, 3> kLevels{{{Isolation::kNone, "none"},
                                             {Isolation::kReduced, "reduced"},
                                             {Isolation::kFull, "full"}}};

}  // namespace

const char* IsolationName(Isolation level) { return kLevels.Of(level); }

std::optional<Isolation> ParseIsolation(const std::string& name) {
  return kLevels.Parse(name);
}

}  // namespace kb::jail
