#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "analysis/reading.h"
#include "report/collect.h"
#include "report/runs.h"

namespace kb::report {

// What stands behind the numbers of a standing.
enum class Standing {
  kVerified,    // all judged by kernelbench in a sandbox
  kUnisolated,  // at least one judged without it: candidates could lie
  kClaimed,     // at least one sample is as the run's owner says
  kUnjudged,    // no answer of it was judged
};
const char* StandingName(Standing standing);

// A model in one setting, whatever stores its samples are in.
struct BoardRow {
  int64_t place = 0;  // from 1; rows as good as each other have the same
  std::string model;
  std::string setting;  // "full, fp32, kernelbench, NVIDIA H200"
  std::vector<std::string> runs;
  Standing standing = Standing::kVerified;
  int64_t claimed = 0;  // samples as the owner says
};

// Best first: by fast_1, then by what is correct, and by name where both are
// the same. `book` draws the charts, and
// its runs are the rows in their order; it has no samples and no problems.
struct Leaderboard {
  std::vector<BoardRow> rows;
  // Runs that count as a part of another one, which has all their results.
  std::vector<std::pair<std::string, std::string>> contained;
  Book book;
};

// The isolation that the run's sample with this id was judged in; "" when it
// is gone.
using IsolationOf =
    std::function<std::string(const std::string& run, int64_t id)>;

Leaderboard Rank(const analysis::RunReading& reading,
                 const IsolationOf& isolation, const CollectOptions& options);

// One self-contained HTML page, as RenderBook's.
std::string RenderLeaderboard(const Leaderboard& board);

}  // namespace kb::report
