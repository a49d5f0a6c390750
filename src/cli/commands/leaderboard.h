#pragma once

#include <string>
#include <vector>

#include "command.h"

namespace kb::cli {

struct LeaderboardOptions {
  std::vector<std::string> runs;  // stores
  std::string out = "leaderboard.html";
  std::string baseline = "eager";
  std::string pack;
  bool sound = false;
};

void AddLeaderboard(Command* program, LeaderboardOptions* options, Call* call);

}  // namespace kb::cli
