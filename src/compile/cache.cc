#include "cache.h"

#include <algorithm>
#include <atomic>
#include <charconv>
#include <chrono>
#include <filesystem>
#include <utility>
#include <vector>

#include "base/json.h"
#include "base/words.h"
#include "harvest.h"

namespace kb::compile {
namespace {

using base::Json;
using base::Ok;
using base::Result;

namespace fs = std::filesystem;

constexpr uint64_t kEvictEvery = 32;
constexpr std::chrono::hours kInUse{1};

constexpr base::Words<BuildStatus, 5> kStatuses{{
    {BuildStatus::kOk, "ok"},
    {BuildStatus::kFailed, "failed"},
    {BuildStatus::kTimedOut, "timed_out"},
    {BuildStatus::kOutOfMemory, "out_of_memory"},
    {BuildStatus::kNothingToBuild, "nothing_to_build"},
}};

Result<Artifact> ReadEntry(const fs::path& folder) {
  const std::string file = (folder / "result.json").string();
  KB_ASSIGN(const std::string text, os::ReadFile(file));
  KB_ASSIGN(const Json json, base::ParseJson(text, file));
  Artifact artifact;
  KB_ASSIGN(const std::string outcome, base::Get<std::string>(json, "outcome"));
  const auto status = kStatuses.Parse(outcome);
  if (!status) return base::Fail("unknown outcome \"{}\"", outcome);
  artifact.status = *status;
  KB_ASSIGN(artifact.log, base::Get<std::string>(json, "log"));
  KB_ASSIGN(artifact.build_seconds, base::Get<double>(json, "build_seconds"));
  KB_ASSIGN(const std::string name, base::Get<std::string>(json, "artifact"));
  if (!name.empty()) artifact.path = (folder / name).string();
  std::error_code error;
  if (!name.empty() && !fs::exists(artifact.path, error))
    return base::Fail("{} is missing", artifact.path);
  artifact.cached = true;
  return artifact;
}

}  // namespace

const char* BuildStatusName(BuildStatus status) { return kStatuses.Of(status); }

struct ArtifactCache::Counter {
  std::atomic<uint64_t> publications{0};
};

Result<ArtifactCache> ArtifactCache::Open(const std::string& directory,
                                          uint64_t limit_bytes) {
  KB_TRY(os::MakeDirectories(directory));
  return ArtifactCache(directory, limit_bytes);
}

ArtifactCache::ArtifactCache(std::string directory, uint64_t limit_bytes)
    : directory_(std::move(directory)),
      limit_bytes_(limit_bytes),
      counter_(std::make_unique<Counter>()) {}
ArtifactCache::ArtifactCache(ArtifactCache&&) noexcept = default;
ArtifactCache& ArtifactCache::operator=(ArtifactCache&&) noexcept = default;
ArtifactCache::~ArtifactCache() = default;

Result<os::FileLock> ArtifactCache::Lock(
    const std::string& key, std::chrono::milliseconds limit) const {
  return os::FileLock::Acquire(directory_ + "/" + key + ".lock", limit);
}

std::optional<Artifact> ArtifactCache::Find(const std::string& key) const {
  const fs::path folder = fs::path(directory_) / key;
  auto artifact = ReadEntry(folder);
  if (!artifact) return std::nullopt;
  std::error_code ignored;
  fs::last_write_time(folder / "result.json", fs::file_time_type::clock::now(),
                      ignored);
  return std::move(*artifact);
}

Result<std::string> ArtifactCache::Begin(const std::string& key) const {
  std::string folder = directory_ + "/" + key;
  std::error_code error;
  fs::remove_all(folder, error);
  if (error) return base::Fail("removing {}: {}", folder, error.message());
  KB_TRY(os::MakeDirectories(folder));
  return folder;
}

Result<void> ArtifactCache::Publish(const std::string& key,
                                    const Artifact& artifact) const {
  const Json json = {{"outcome", BuildStatusName(artifact.status)},
                     {"artifact", fs::path(artifact.path).filename().string()},
                     {"log", artifact.log},
                     {"build_seconds", artifact.build_seconds}};
  const std::string folder = directory_ + "/" + key;
  KB_TRY(
      os::WriteFileAtomically(folder + "/result.json", base::DumpJson(json)));
  if (counter_->publications++ % kEvictEvery == 0) Evict();
  return Ok();
}

void ArtifactCache::Evict() const {
  struct Entry {
    fs::file_time_type used;
    fs::path folder;
    uint64_t bytes;
  };
  std::vector<Entry> entries;
  uint64_t total = 0;
  std::error_code ignored;
  for (const auto& found : fs::directory_iterator(directory_, ignored)) {
    std::error_code error;
    const auto used = fs::last_write_time(found.path() / "result.json", error);
    if (error) continue;  // a lock file, or being built
    entries.push_back(
        {used, found.path(), TreeBytes(found.path().string(), UINT64_MAX)});
    total += entries.back().bytes;
  }
  std::sort(entries.begin(), entries.end(),
            [](const Entry& a, const Entry& b) { return a.used < b.used; });
  const auto recent = fs::file_time_type::clock::now() - kInUse;
  for (const Entry& entry : entries) {
    if (total <= limit_bytes_ || entry.used > recent) return;
    // The entry ends to exist first, then its files go.
    fs::remove(entry.folder / "result.json", ignored);
    fs::remove_all(entry.folder, ignored);
    fs::remove(entry.folder.string() + ".lock", ignored);
    total -= entry.bytes;
  }
}

Result<uint64_t> ParseBytes(const std::string& text) {
  uint64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [next, error] = std::from_chars(text.data(), end, number);
  const std::string_view unit(next, static_cast<size_t>(end - next));
  int shift = -1;
  if (unit.empty()) shift = 0;
  if (unit == "K") shift = 10;
  if (unit == "M") shift = 20;
  if (unit == "G") shift = 30;
  if (error != std::errc() || shift < 0 || number > (UINT64_MAX >> shift))
    return base::Usage("\"{}\" is no size: write 4G, 500M or bytes", text);
  return number << shift;
}

}  // namespace kb::compile
