#include "compile/cache.h"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <utility>
#include <vector>

#include "base/hash.h"
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
constexpr uint64_t kDefaultLimit = uint64_t{4} << 30;
constexpr uint64_t kMaxFileBytes = uint64_t{1} << 30;

// Somebody who clears the cache has it for as long as files take to remove.
constexpr std::chrono::minutes kClearing{1};

constexpr base::Words<BuildStatus, 5> kStatuses{{
    {BuildStatus::kOk, "ok"},
    {BuildStatus::kFailed, "failed"},
    {BuildStatus::kTimedOut, "timed_out"},
    {BuildStatus::kOutOfMemory, "out_of_memory"},
    {BuildStatus::kNothingToBuild, "nothing_to_build"},
}};

// Of the file, or of all files below the folder with their names.
Result<std::string> Digest(const fs::path& artifact) {
  std::error_code error;
  std::vector<fs::path> files;
  if (fs::is_directory(artifact, error)) {
    fs::recursive_directory_iterator it(artifact, error);
    for (; !error && it != fs::end(it); it.increment(error))
      if (it->is_regular_file(error)) files.push_back(it->path());
  } else {
    files.push_back(artifact);
  }
  if (error) return base::Fail("{}: {}", artifact.string(), error.message());
  std::sort(files.begin(), files.end());
  base::KeyBuilder all;
  for (const fs::path& file : files) {
    KB_ASSIGN(const std::string bytes, os::ReadFile(file, kMaxFileBytes));
    all.Add(file.lexically_relative(artifact).string());
    all.Add(base::Sha256(bytes));
  }
  return all.Finish();
}

// What result.json says.
struct Entry {
  Artifact artifact;   // status, path, log, build_seconds
  std::string digest;  // of the artefact, if there is one
};

Result<Entry> ReadEntry(const fs::path& folder) {
  const std::string file = (folder / "result.json").string();
  KB_ASSIGN(const std::string text, os::ReadFile(file));
  KB_ASSIGN(const Json json, base::ParseJson(text, file));
  Entry entry;
  Artifact& artifact = entry.artifact;
  KB_ASSIGN(const std::string outcome, base::Get<std::string>(json, "outcome"));
  const auto status = kStatuses.Parse(outcome);
  if (!status) return base::Fail("unknown outcome \"{}\"", outcome);
  artifact.status = *status;
  KB_ASSIGN(artifact.log, base::Get<std::string>(json, "log"));
  KB_ASSIGN(artifact.build_seconds, base::Get<double>(json, "build_seconds"));
  KB_ASSIGN(const std::string name, base::Get<std::string>(json, "artifact"));
  if (!name.empty()) artifact.path = (folder / name).string();
  KB_ASSIGN(entry.digest, base::Get<std::string>(json, "digest"));
  artifact.cached = true;
  return entry;
}

// The entry, if its artefact is as it was built.
Result<Artifact> ReadWholeEntry(const fs::path& folder) {
  KB_ASSIGN(Entry entry, ReadEntry(folder));
  if (entry.artifact.path.empty()) return std::move(entry.artifact);
  KB_ASSIGN(const std::string digest, Digest(entry.artifact.path));
  if (digest != entry.digest)
    return base::Fail("{} has changed", entry.artifact.path);
  return std::move(entry.artifact);
}

// An entry and when it was last used.
struct Aged {
  fs::file_time_type used;
  fs::path folder;
  uint64_t bytes = 0;
};

// The one that was not used for longest first.
std::vector<Aged> EntriesByAge(const std::string& directory) {
  std::vector<Aged> entries;
  std::error_code ignored;
  for (const auto& found : fs::directory_iterator(directory, ignored)) {
    std::error_code error;
    const auto used = fs::last_write_time(found.path() / "result.json", error);
    if (error) continue;  // a lock file, or being built
    entries.push_back(
        {used, found.path(), TreeBytes(found.path().string(), UINT64_MAX)});
  }
  std::sort(entries.begin(), entries.end(),
            [](const Aged& a, const Aged& b) { return a.used < b.used; });
  return entries;
}

// The entry ends to exist first, then its files go.
void RemoveEntry(const fs::path& folder) {
  std::error_code ignored;
  fs::remove(folder / "result.json", ignored);
  (void)os::RemoveTree(folder.string());
  fs::remove(folder.string() + ".lock", ignored);
}

CacheEntry Describe(const Aged& aged) {
  CacheEntry entry;
  entry.key = aged.folder.filename().string();
  entry.bytes = aged.bytes;
  entry.unused = std::chrono::duration_cast<std::chrono::seconds>(
      fs::file_time_type::clock::now() - aged.used);
  const auto read = ReadEntry(aged.folder);
  if (!read) return entry;
  entry.status = read->artifact.status;
  entry.build_seconds = read->artifact.build_seconds;
  return entry;
}

std::string InUsePath(const std::string& directory) {
  return directory + "/in_use.lock";
}

bool CanWrite(const std::string& directory) {
  return ::access(directory.c_str(), W_OK) == 0;
}

}  // namespace

const char* BuildStatusName(BuildStatus status) { return kStatuses.Of(status); }

struct ArtifactCache::State {
  uint64_t limit_bytes = 0;
  std::vector<std::string> shared;
  std::optional<os::TempDir> own;  // where `directory` cannot be written to
  std::optional<os::FileLock> in_use;
  std::atomic<uint64_t> publications{0};
};

Result<ArtifactCache> ArtifactCache::Open(const std::string& directory,
                                          uint64_t limit_bytes,
                                          std::vector<std::string> shared) {
  auto state = std::make_unique<State>();
  state->limit_bytes = limit_bytes;
  state->shared = std::move(shared);
  KB_TRY(os::MakeDirectories(directory));
  std::string own = directory;
  if (!CanWrite(directory)) {
    state->shared.push_back(directory);
    KB_ASSIGN(state->own, os::TempDir::Create("kb-artifacts"));
    own = state->own->path();
    // A jailed user reads what was built here.
    fs::permissions(own, fs::perms::owner_all | fs::perms::others_exec);
  }
  KB_ASSIGN(state->in_use, os::FileLock::Share(InUsePath(own), kClearing));
  ArtifactCache cache(std::move(state));
  cache.directory_ = std::move(own);
  return cache;
}

ArtifactCache::ArtifactCache(std::unique_ptr<State> state)
    : state_(std::move(state)) {}
ArtifactCache::ArtifactCache(ArtifactCache&&) noexcept = default;
ArtifactCache& ArtifactCache::operator=(ArtifactCache&&) noexcept = default;
ArtifactCache::~ArtifactCache() = default;

Result<os::FileLock> ArtifactCache::Lock(
    const std::string& key, std::chrono::milliseconds limit) const {
  return os::FileLock::Acquire(directory_ + "/" + key + ".lock", limit);
}

std::optional<Artifact> ArtifactCache::Find(const std::string& key) const {
  const fs::path folder = fs::path(directory_) / key;
  if (auto artifact = ReadWholeEntry(folder)) {
    std::error_code ignored;
    fs::last_write_time(folder / "result.json",
                        fs::file_time_type::clock::now(), ignored);
    return std::move(*artifact);
  }
  for (const std::string& shared : state_->shared)
    if (auto artifact = ReadWholeEntry(fs::path(shared) / key))
      return std::move(*artifact);
  return std::nullopt;
}

Result<std::string> ArtifactCache::Begin(const std::string& key) const {
  std::string folder = directory_ + "/" + key;
  KB_TRY(os::RemoveTree(folder));
  KB_TRY(os::MakeDirectories(folder));
  return folder;
}

Result<void> ArtifactCache::Publish(const std::string& key,
                                    const Artifact& artifact) const {
  std::string digest;
  if (!artifact.path.empty()) {
    KB_ASSIGN(digest, Digest(artifact.path));
  }
  const Json json = {{"outcome", BuildStatusName(artifact.status)},
                     {"artifact", fs::path(artifact.path).filename().string()},
                     {"digest", digest},
                     {"log", artifact.log},
                     {"build_seconds", artifact.build_seconds}};
  const std::string folder = directory_ + "/" + key;
  KB_TRY(
      os::WriteFileAtomically(folder + "/result.json", base::DumpJson(json)));
  if (state_->publications++ % kEvictEvery == 0) Evict();
  return Ok();
}

void ArtifactCache::Evict() const {
  const std::vector<Aged> entries = EntriesByAge(directory_);
  uint64_t total = 0;
  for (const Aged& entry : entries) total += entry.bytes;
  const auto recent = fs::file_time_type::clock::now() - kInUse;
  for (const Aged& entry : entries) {
    if (total <= state_->limit_bytes || entry.used > recent) return;
    RemoveEntry(entry.folder);
    total -= entry.bytes;
  }
}

std::vector<CacheEntry> ReadCache(const std::string& directory) {
  std::vector<CacheEntry> entries;
  for (const Aged& aged : EntriesByAge(directory))
    entries.push_back(Describe(aged));
  return entries;
}

Result<std::vector<CacheEntry>> ClearCache(const std::string& directory,
                                           std::chrono::seconds unused) {
  std::optional<os::FileLock> alone;
  if (unused < kInUse) {
    KB_ASSIGN(alone, os::FileLock::TryAcquire(InUsePath(directory), ""));
    if (!alone)
      return base::Usage(
          "{} is in use by another kernelbench: wait for its end, or clear "
          "what "
          "was unused for an hour and more",
          directory);
  }
  const auto until = fs::file_time_type::clock::now() - unused;
  std::vector<CacheEntry> removed;
  for (const Aged& aged : EntriesByAge(directory)) {
    if (aged.used > until) break;
    removed.push_back(Describe(aged));
    RemoveEntry(aged.folder);
  }
  return removed;
}

Result<uint64_t> CacheLimit() {
  const char* text = std::getenv("KB_CACHE_LIMIT");
  if (text == nullptr || *text == '\0') return kDefaultLimit;
  auto limit = ParseBytes(text);
  if (!limit)
    return base::Propagate(limit.error().Wrap("environment KB_CACHE_LIMIT"));
  return limit;
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
