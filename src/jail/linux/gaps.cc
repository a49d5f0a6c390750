#include "jail/gaps.h"

#include <unistd.h>

#include <algorithm>

#include "base/text.h"
#include "linux/landlock.h"

namespace kb::jail {
namespace {

constexpr const char* kNames[] = {"memory", "signals", "files"};

}  // namespace

std::vector<Gap> GapsOf(Isolation level, const Ground& ground) {
  std::vector<Gap> gaps;
  if (level == Isolation::kNone) return gaps;
  if (!ground.control_groups)
    gaps.push_back({"memory",
                    "without control groups each process has a limit of its "
                    "own, and none that uses a GPU"});
  if (level == Isolation::kFull || ground.own_user) return gaps;
  if (ground.landlock < 6)
    gaps.push_back(
        {"signals", fmt::format("Landlock {} lets a program kill processes of "
                                "its user; 6 and later do not",
                                ground.landlock)});
  if (ground.landlock < 3)
    gaps.push_back(
        {"files", fmt::format("Landlock {} lets a program cut off files of "
                              "its user; 3 and later do not",
                              ground.landlock)});
  return gaps;
}

std::vector<Gap> GapsOf(Isolation level, const IsolationReport& report) {
  Ground ground;
  for (const Mechanism& mechanism : report.mechanisms)
    if (mechanism.name == "control groups")
      ground.control_groups = mechanism.works;
  ground.landlock = LandlockVersion();
  ground.own_user = ::geteuid() == 0;
  return GapsOf(level, ground);
}

base::Result<std::string> WhyTooWeak(const std::string& wanted, Isolation level,
                                     const std::vector<Gap>& gaps) {
  const std::vector<std::string> parts = base::Split(wanted, '+');
  const auto least = ParseIsolation(parts.front());
  if (!least) return base::Usage("use full, reduced or none");
  for (size_t i = 1; i < parts.size(); ++i)
    if (std::ranges::find(kNames, parts[i]) == std::end(kNames))
      return base::Usage("behind a plus use memory, signals or files");
  if (level < *least)
    return fmt::format("this machine gives {}", IsolationName(level));
  for (const Gap& gap : gaps)
    if (std::find(parts.begin() + 1, parts.end(), gap.name) != parts.end())
      return gap.why;
  return std::string();
}

}  // namespace kb::jail
