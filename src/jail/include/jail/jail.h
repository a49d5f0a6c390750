#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "os/fd.h"

namespace kb::jail {

class ForkServer;

// How far foreign code is kept away from us, best last. The same words in
// results, policies and `doctor`.
enum class Isolation {
  kNone,     // limits and a process group only: --unsafe-no-sandbox
  kReduced,  // Landlock, seccomp, rlimits, own uid when we are root
  kFull,  // own uid, namespaces, read-only tree, private tmp, cgroup, seccomp
};
const char* IsolationName(Isolation level);
std::optional<Isolation> ParseIsolation(const std::string& name);

// A folder or file of the host that the jailed program sees.
struct Bind {
  std::string source;     // absolute path on the host
  std::string target;     // absolute path inside; empty: the same
  bool writable = false;  // for compile outputs only; when we are root, the
                          // folder is given to the jailed user (65534)
};

struct JailLimits {
  uint64_t memory_bytes = uint64_t{8} << 30;  // cgroup; not address space.
                                              // Without a cgroup RLIMIT_DATA,
                                              // and none when `gpu`
  uint64_t processes = 512;
  std::chrono::milliseconds wall{60000};    // then everything is killed
  uint64_t tmp_bytes = uint64_t{2} << 30;   // private /tmp and /dev/shm each
                                            // (level full only)
  uint64_t file_bytes = uint64_t{2} << 30;  // RLIMIT_FSIZE
  size_t output_bytes = 256 << 10;          // kept of stdout+stderr; the rest
                                            // is read and thrown away
};

// What to run and what it may see and use.
//
// The token {TMP} in `argv`, in values of `env` and in `working_directory`
// stands for the private temporary folder: /tmp at level full, a new folder
// below the host's /tmp at the others, whose programs cannot be shown another
// /tmp. There TMPDIR and HOME are set to it too, unless `env` has them; at
// level full the environment is exactly `env`.
//
// At level full the program sees the system's programs and libraries (/usr /bin
// /sbin /lib* /sys /nix and a few files of /etc), `binds`, and its own /tmp,
// /dev and /proc. At level reduced it may open the same and nothing else (no
// /dev/shm); connect() is refused, and a bind cannot have another `target`.
struct JailSpec {
  std::vector<std::string> argv;           // argv[0] is an absolute path
  std::map<std::string, std::string> env;  // the whole environment
  std::vector<Bind> binds;                 // e.g. /root/.pyenv/... read-only
  bool gpu = false;                        // bind the /dev/nvidia* nodes
  std::string gpu_node;  // "/dev/nvidia1": of the numbered ones this alone
  std::string working_directory = "{TMP}";  // inside; "/tmp" means {TMP}
  std::vector<int> inherited_fds;           // become 3, 4, ... inside; the
                                            // caller keeps its own copies
  // A folder of the host copied into the private /tmp before the start, with
  // modification times kept: {source, name below /tmp}. Empty: none.
  std::string tmp_seed_source;
  std::string tmp_seed_name;
  // The processors it runs on; empty: all of ours. It cannot choose others
  // (level none excepted).
  std::vector<int> processors;
  JailLimits limits;
  Isolation isolation = Isolation::kFull;
  // Not null: the program is forked from this one, in the same jail as if it
  // had been executed. Only during Start.
  ForkServer* server = nullptr;
};

// How a jailed program ended.
struct JailExit {
  enum class Kind {
    kExited,    // code
    kSignaled,  // signal
    kTimedOut,  // wall limit
    kOutOfMemory,
    kKilled,       // by Jail::Kill, or perhaps by itself: detail
    kLost,         // by somebody outside: our fault; detail
    kSetupFailed,  // the jail could not be built; our fault, nothing ran
  };
  Kind kind = Kind::kSetupFailed;
  int code = 0;
  int signal = 0;
  std::string output;         // stdout and stderr together, shortened
  uint64_t output_total = 0;  // bytes printed in all
  std::optional<uint64_t> peak_memory_bytes;
  std::string detail;        // why the set-up failed, or who killed
  bool unstoppable = false;  // kKilled: because Suspend could not stop it
};

// One jailed program with all its descendants. Destroying it kills and reaps
// everything that is left, and removes its cgroup. Move-only.
//
// Thread-safety: one thread at a time, except Kill() and LimitLife(), which any
// thread may call while another waits.
class Jail {
 public:
  // Fails closed: when a mechanism that `spec.isolation` promises cannot be
  // had, nothing runs and an Error says which and why. A program that cannot be
  // executed is no Error here but kSetupFailed later.
  static base::Result<Jail> Start(const JailSpec& spec);

  Jail(const Jail&) = delete;
  Jail& operator=(const Jail&) = delete;
  Jail(Jail&&) noexcept;
  Jail& operator=(Jail&&) noexcept;
  ~Jail();

  // Readable when the program has ended (a pidfd of the supervisor).
  int wait_fd() const;

  // Kills everything inside. Returns at once.
  void Kill();

  // Stops everything inside, and lets it go on. About 100 us. The wall limit
  // runs on. Whoever cannot be stopped is killed (JailExit::unstoppable).
  void Suspend();
  void Resume();

  // Its wall limit from now on, counted from now.
  void LimitLife(std::chrono::milliseconds wall);

  // Moves everything inside to these processors.
  void Confine(const std::vector<int>& processors);

  // Lets everything inside run before other programs of the machine on the
  // same processors, but for our oracle and whoever ends a jail. For root only.
  void Prefer();

  // Waits until the program and all its descendants are gone. Idempotent.
  const JailExit& Wait();

 private:
  struct State;
  explicit Jail(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

// One mechanism of the operating system that isolation is built from.
struct Mechanism {
  std::string name;  // "user namespaces"
  bool works = false;
  std::string detail;  // what was seen
  std::string advice;  // what to do when it is missing
  Isolation needed_for = Isolation::kFull;
};

struct IsolationReport {
  std::vector<Mechanism> mechanisms;
  Isolation best = Isolation::kNone;
  // Why not a better level, and what to do. Empty when best is kFull.
  std::string why_not_better;
};

// Tries every mechanism in children of this process. About 50 ms.
IsolationReport ProbeIsolation();

// To whom belongs on the host what a program writes that runs at `level`: us,
// or nobody (65534) where we are root and the level is not none.
uint32_t OwnerOfWritten(Isolation level);

// Removes cgroups and folders that a killed supervisor left behind.
void SweepStaleJails();

}  // namespace kb::jail
