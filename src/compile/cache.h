#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "base/result.h"
#include "compile/compiler.h"
#include "os/files.h"

namespace kb::compile {

// Artefacts by content address, shared by threads and processes.
//
//   <directory>/<key>/result.json   last use = its modification time
//   <directory>/<key>/<artefact>    a shared object, or a folder
//   <directory>/<key>.lock
//
// An entry counts from the moment its result.json stands there, which is
// written last and at once; what a killed build left is thrown away by the next
// one. Callers hold the key's lock around Find ... Publish.
class ArtifactCache {
 public:
  // `limit_bytes` bounds the artefacts. Removal is lazy (at the first and then
  // every 32nd publication of this object) and spares what was used within the
  // last hour, because somebody may be running it.
  static base::Result<ArtifactCache> Open(const std::string& directory,
                                          uint64_t limit_bytes);
  ArtifactCache(ArtifactCache&&) noexcept;
  ArtifactCache& operator=(ArtifactCache&&) noexcept;
  ArtifactCache(const ArtifactCache&) = delete;
  ArtifactCache& operator=(const ArtifactCache&) = delete;
  ~ArtifactCache();

  // Waits for whoever builds the same, but no longer than `limit`.
  base::Result<os::FileLock> Lock(const std::string& key,
                                  std::chrono::milliseconds limit) const;

  // The entry, marked as used and `cached`. Of an Artifact only outcome, path,
  // log and seconds are kept. An entry that cannot be read is none.
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
  struct Counter;
  ArtifactCache(std::string directory, uint64_t limit_bytes);

  std::string directory_;
  uint64_t limit_bytes_;
  std::unique_ptr<Counter> counter_;
};

// "4G", "500M", "123" in bytes; K, M, G are powers of 1024.
base::Result<uint64_t> ParseBytes(const std::string& text);

}  // namespace kb::compile
