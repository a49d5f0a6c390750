#include "commands/cache.h"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "base/json.h"
#include "compile/cache.h"
#include "html/html.h"
#include "os/files.h"
#include "record/document.h"

namespace kb::cli {
namespace {

using base::Json;
using base::Result;
using compile::CacheEntry;

constexpr double kSecondsOfADay = 86400;

double MiB(uint64_t bytes) { return static_cast<double>(bytes) / (1 << 20); }

std::string Age(std::chrono::seconds age) {
  const auto seconds = static_cast<double>(age.count());
  if (seconds >= kSecondsOfADay)
    return fmt::format("{:.0f} days", seconds / kSecondsOfADay);
  return fmt::format("{:.1f} h", seconds / 3600);
}

// What the entries have in common.
struct Sum {
  uint64_t bytes = 0;
  double build_seconds = 0;
  std::map<std::string, int64_t> outcomes;
};

Sum SumOf(const std::vector<CacheEntry>& entries) {
  Sum sum;
  for (const CacheEntry& entry : entries) {
    sum.bytes += entry.bytes;
    sum.build_seconds += entry.build_seconds;
    ++sum.outcomes[compile::BuildStatusName(entry.status)];
  }
  return sum;
}

Json ToJson(const CacheEntry& entry) {
  return {{"key", entry.key},
          {"outcome", compile::BuildStatusName(entry.status)},
          {"bytes", entry.bytes},
          {"build_seconds", entry.build_seconds},
          {"unused_seconds", entry.unused.count()}};
}

Json ToJson(const std::vector<CacheEntry>& entries) {
  Json list = Json::array();
  for (const CacheEntry& entry : entries) list.push_back(ToJson(entry));
  return list;
}

Result<ExitCode> Show(const CacheOptions& options) {
  KB_ASSIGN(const std::string folder, os::CacheDirectory("artifacts"));
  KB_ASSIGN(const uint64_t limit, compile::CacheLimit());
  const std::vector<CacheEntry> entries = compile::ReadCache(folder);
  const Sum sum = SumOf(entries);
  if (options.json) {
    fmt::print(
        "{}\n",
        base::DumpJson(record::Document("cache", {{"version", KB_VERSION},
                                                  {"folder", folder},
                                                  {"bytes", sum.bytes},
                                                  {"limit_bytes", limit},
                                                  {"builds", ToJson(entries)}}),
                       1));
    return ExitCode::kDone;
  }
  fmt::print("{}: {}, {:.1f} MiB of {:.0f} (KB_CACHE_LIMIT)\n", folder,
             html::CountOf(entries.size(), "build"), MiB(sum.bytes),
             MiB(limit));
  for (const auto& [outcome, count] : sum.outcomes)
    fmt::print("  {:<16} {:>8}\n", outcome, count);
  if (entries.empty()) return ExitCode::kDone;
  fmt::print("  {:<16} {:>8.0f} s\n", "time they took", sum.build_seconds);
  fmt::print("  {:<16} {:>8}\n", "longest unused", Age(entries.front().unused));
  return ExitCode::kDone;
}

Result<ExitCode> Clear(const CacheOptions& options) {
  KB_ASSIGN(const std::string folder, os::CacheDirectory("artifacts"));
  const std::chrono::seconds unused(
      std::llround(options.unused_days * kSecondsOfADay));
  KB_ASSIGN(const std::vector<CacheEntry> removed,
            compile::ClearCache(folder, unused));
  fmt::print("{} removed, {:.1f} MiB, from {}\n",
             html::CountOf(removed.size(), "build"), MiB(SumOf(removed).bytes),
             folder);
  return ExitCode::kDone;
}

}  // namespace

void AddCache(Command* program, CacheOptions* options, Call* call) {
  Command* cache = program->AddCommand("cache", "what was built and is kept");
  cache->NeedCommand(1, 1);
  Command* show = cache->AddCommand("show", "how much there is");
  show->AddFlag("--json", &options->json, "print JSON for machines");
  Means(show, call, options, Show);
  Command* clear = cache->AddCommand(
      "clear", "remove builds; refused while another kernelbench uses them");
  constexpr double kTenYears = 3650;
  clear
      ->Add("--unused-for", &options->unused_days,
            "only what was not used for so many days; from 0.05 on "
            "also while others use the cache")
      .Between(0.0, kTenYears);
  Means(clear, call, options, Clear);
}

}  // namespace kb::cli
