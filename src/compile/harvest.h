#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"

namespace kb::compile {

// Takes what foreign code wrote into our keeping. Nothing is followed that is a
// symlink, and nothing but regular files and folders is taken, so that a build
// cannot make us read a file of ours for it. Modification times are kept to the
// nanosecond, because ninja compares them.

// Copies the ELF file `folder`/`name` to `to`. An Error says why it is not an
// artefact: missing, no regular file, no ELF, over `max_bytes`.
base::Result<void> HarvestElf(const std::string& folder,
                              const std::string& name, const std::string& to,
                              uint64_t max_bytes);

struct Harvest {
  uint64_t bytes = 0;
  uint64_t shared_objects = 0;  // files called *.so
};
// Copies the tree `folder` to the new folder `to`. Lock files of torch's
// extension builder are left out: nobody would ever remove them. Files that
// cannot be read are left out as well. An Error when there are over `max_bytes`
// or 10000 files.
base::Result<Harvest> HarvestTree(const std::string& folder,
                                  const std::string& to, uint64_t max_bytes);

// Bytes of the files below `folder`, counted until `stop_at`: of a file its
// size or what it has of the disk, which can be more (fallocate). An entry
// counts for at least 4 KiB. A file without a name is not seen.
uint64_t TreeBytes(const std::string& folder, uint64_t stop_at);

}  // namespace kb::compile
