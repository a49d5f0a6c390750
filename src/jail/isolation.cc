#include "jail/jail.h"

namespace kb::jail {

const char* IsolationName(Isolation level) {
  switch (level) {
    case Isolation::kNone:
      return "none";
    case Isolation::kReduced:
      return "reduced";
    case Isolation::kFull:
      return "full";
  }
  return "unknown";
}

std::optional<Isolation> ParseIsolation(const std::string& name) {
  for (const Isolation level :
       {Isolation::kNone, Isolation::kReduced, Isolation::kFull})
    if (name == IsolationName(level)) return level;
  return std::nullopt;
}

}  // namespace kb::jail
