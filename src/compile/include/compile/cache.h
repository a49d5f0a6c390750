#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "compile/compiler.h"
#include "os/files.h"

namespace kb::compile {

// Artefacts by content address, shared by threads and processes.
//
//   <directory>/<key>/result.json   last use = its modification time
//   <directory>/<key>/<artefact>    a shared object, or a folder
//   <directory>/<key>.lock
//   <directory>/in_use.lock         held, shared, by every ArtifactCache
//
// An entry counts from the moment its result.json stands there, which is
// written last and at once; what a killed build left is thrown away by the next
// one. result.json has the artefact's digest: what is no longer as it was built
// counts as none. Callers hold the key's lock around Find ... Publish.
class ArtifactCache {
 public:
  // `limit_bytes` bounds the artefacts. Removal is lazy (at the first and then
  // every 32nd publication of this object) and spares what was used within the
  // last hour, because somebody may be running it. `shared`: folders of other
  // caches, which are looked into and never changed. A `directory` that cannot
  // be written to is such a folder as well; what is built is then kept only as
  // long as this object.
  static base::Result<ArtifactCache> Open(const std::string& directory,
                                          uint64_t limit_bytes,
                                          std::vector<std::string> shared = {});
  ArtifactCache(ArtifactCache&&) noexcept;
  ArtifactCache& operator=(ArtifactCache&&) noexcept;
  ArtifactCache(const ArtifactCache&) = delete;
  ArtifactCache& operator=(const ArtifactCache&) = delete;
  ~ArtifactCache();

  // Waits for whoever builds the same, but no longer than `limit`.
  base::Result<os::FileLock> Lock(const std::string& key,
                                  std::chrono::milliseconds limit) const;

  // The entry, marked as used and `cached`. Of an Artifact only outcome, path,
  // log and seconds are kept. An entry that cannot be read, or whose artefact
  // has changed, is none. A shared folder's entry is used where it lies.
  std::optional<Artifact> Find(const std::string& key) const;

  // The empty folder of an entry to be.
  base::Result<std::string> Begin(const std::string& key) const;

  // `artifact.path` is in the folder that Begin returned, or empty.
  base::Result<void> Publish(const std::string& key,
                             const Artifact& artifact) const;

  // Removes what was unused for longest until the rest fits.
  void Evict() const;

  const std::string& directory() const { return directory_; }

 private:
  struct State;
  explicit ArtifactCache(std::unique_ptr<State> state);

  std::string directory_;
  std::unique_ptr<State> state_;
};

// An entry as a person sees it.
struct CacheEntry {
  std::string key;
  BuildStatus status = BuildStatus::kNotSet;
  uint64_t bytes = 0;
  double build_seconds = 0;        // that it saves
  std::chrono::seconds unused{0};  // since its last use
};

// The entries of a cache's folder, the one that was not used for longest first.
std::vector<CacheEntry> ReadCache(const std::string& directory);

// Removes the entries that were not used for `unused`, and returns them. What
// was used within the last hour goes only when no kernelbench has the cache
// open, else a usage error.
base::Result<std::vector<CacheEntry>> ClearCache(const std::string& directory,
                                                 std::chrono::seconds unused);

// How many bytes of artefacts are kept: the environment's KB_CACHE_LIMIT, else
// 4 GiB.
base::Result<uint64_t> CacheLimit();

// "4G", "500M", "123" in bytes; K, M, G are powers of 1024.
base::Result<uint64_t> ParseBytes(const std::string& text);

}  // namespace kb::compile
