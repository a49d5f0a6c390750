#pragma once

#include <sys/stat.h>

#include <cstdint>
#include <string>
#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "os/fd.h"

namespace kb::jail {

// A folder of the host on its way into a jail. It is read before the clone,
// because the jailed user may not read the original, and written by that user
// afterwards, so that the copy is theirs.
class TmpSeed {
 public:
  // An empty seed: Unpack does nothing.
  TmpSeed() = default;
  // Folders, files and symbolic links; anything else is an Error.
  static base::Result<TmpSeed> Read(const std::string& source,
                                    const std::string& name,
                                    uint64_t max_bytes);

  // The bytes of all the files. -1 for an empty seed.
  int fd() const { return bytes_.get(); }

  // Makes the copy below the folder `directory`, from `bytes`, a duplicate of
  // fd(). Async-signal-safe. Returns nullptr, or the path that failed with
  // errno set.
  const char* Unpack(int directory, int bytes) const;

  // For another process, which gets the descriptor too. Decode throws what
  // nlohmann::json throws.
  base::Json EncodeEntries() const;
  static TmpSeed Decode(const base::Json& entries, os::Fd bytes);

 private:
  struct Entry {
    std::string path;  // relative to the private /tmp
    mode_t mode = 0;   // type and permissions
    timespec modified{};
    off_t offset = 0;
    uint64_t size = 0;
    std::string link;
  };
  base::Result<void> Add(const std::string& from, const std::string& path,
                         uint64_t max_bytes);
  base::Result<void> AddBytes(const std::string& from, Entry& entry,
                              uint64_t max_bytes);
  static bool Make(int directory, int bytes, const Entry& entry);
  static bool MakeFile(int directory, int bytes, const Entry& entry);
  static bool Finish(int directory, const Entry& entry);

  os::Fd bytes_;
  std::vector<Entry> entries_;  // a folder before what it holds
  uint64_t total_ = 0;
};

}  // namespace kb::jail
