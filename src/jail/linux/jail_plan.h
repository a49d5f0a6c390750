#pragma once

#include <linux/filter.h>
#include <sched.h>
#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "jail/jail.h"
#include "linux/private_tmp.h"
#include "linux/tmp_seed.h"
#include "os/c_strings.h"
#include "os/fd.h"

namespace kb::jail {

// The user that foreign code runs as when we are root, and what that user is
// called inside a user namespace.
inline constexpr uid_t kOutsideUser = 65534;
inline constexpr uid_t kInsideUser = 1000;

// One thing of the host that the file tree of a full jail shows.
struct TreeEntry {
  enum class Kind { kFolder, kFile, kDevice, kLink };
  Kind kind = Kind::kFolder;
  std::string source;  // of a link: its text
  std::string target;
  bool writable = false;
  int tree = -1;  // a detached mount, made by the child
};

// The user and group of the payload.
struct Identity {
  bool change = false;  // else it stays ours
  uid_t user = 0;
  gid_t group = 0;
  bool clear_groups = false;
  // For a user namespace, "" without one: lines of uid_map and gid_map.
  std::string user_map;
  std::string group_map;
};

// Everything that the child needs, worked out beforehand: a child of a program
// with threads must not allocate memory before exec, because another thread
// may have held the allocator's lock when it was cloned.
struct JailPlan {
  Isolation level = Isolation::kFull;
  bool gpu = false;
  // The payload goes on as the program that it was cloned from, which has one
  // thread, instead of executing one.
  bool in_place = false;
  JailLimits limits;
  uint64_t process_limit = 0;  // for RLIMIT_NPROC, without a control group

  os::CStrings argv;
  os::CStrings environment;
  std::string program;
  std::string working_directory;
  std::string tmp;  // "/tmp", or the private folder without a mount namespace
  std::vector<int> inherited;
  std::optional<cpu_set_t> processors;

  Identity identity;
  std::vector<TreeEntry> system;                     // kFull: mounted first
  std::vector<TreeEntry> devices;                    // kFull
  std::vector<TreeEntry> binds;                      // kFull: outer ones first
  std::string tmp_options;                           // kFull: of mount -t tmpfs
  PrivateTmp private_tmp;                            // other levels
  os::Fd ruleset;                                    // kReduced
  const std::vector<sock_filter>* filter = nullptr;  // not kNone
  TmpSeed seed;

  // Whether no program inside can send the init a signal that ends it.
  bool InitIsOutOfReach() const {
    return level == Isolation::kFull || identity.change;
  }
};

base::Result<JailPlan> MakeJailPlan(const JailSpec& spec);

}  // namespace kb::jail
