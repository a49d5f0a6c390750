#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "base/result.h"
#include "compile/toolchain.h"
#include "jail/jail.h"
#include "record/evaluation.h"
#include "record/policy.h"

namespace kb::compile {

// How a build ended.
enum class BuildStatus {
  kNotSet,  // nobody has said yet; never the end of one
  kOk,
  kFailed,          // the compiler says no; `log` says why
  kTimedOut,        // policy.compile_seconds
  kOutOfMemory,     // Options::memory_bytes
  kNothingToBuild,  // Python without an extension of its own
};
const char* BuildStatusName(BuildStatus status);  // "timed_out"

// What became of a candidate's source.
struct Artifact {
  BuildStatus status = BuildStatus::kNotSet;
  // kOk: the shared object (native), or the folder torch_extensions as the
  // build left it (python). Else empty. In the cache: treat as read-only.
  std::string path;
  // The first errors, fit for a person and a database; folders of this machine
  // are cut off. For python also what the module said when its own code failed
  // after or without a build.
  std::string log;
  // A process of the build was killed, and perhaps not by what it was given: by
  // a person, or by the machine when memory was short. Or it says that a disk
  // was full which is not.
  bool doubtful = false;
  bool cached = false;
  double seconds = 0;        // that this answer took, waiting included
  double build_seconds = 0;  // that the compiler took, now or when it was built
  // kOk, python track: the environment of the build, TORCH_EXTENSIONS_DIR among
  // it. The run gets a copy of `path` in its private temporary folder
  // (JailSpec::tmp_seed_source = path, tmp_seed_name = "torch_extensions"). In
  // Isolation::kFull that is where it was built, so that ninja finds nothing to
  // do; below, the folder has another name each time.
  std::map<std::string, std::string> run_env;
  // kOk: what a jail must show, read-only, beside Python's prefixes: compilers
  // (torch asks them for their version) and CUDA libraries.
  std::vector<jail::Bind> run_binds;
};

// Turns candidates into artefacts, each in a jail without network, and keeps
// them by content: the same source, tools, flags and machine are built once,
// failures too (time-outs and lack of memory are tried again). What fails for a
// reason of ours, or perhaps of ours, is built once more at once.
//
// Thread-safety: Compile may be called by several threads at once, and by
// several processes that share a cache.
class Compiler {
 public:
  struct Options {
    jail::Isolation isolation = jail::Isolation::kFull;
    std::string cache_dir;    // empty: os::CacheDirectory("artifacts")
    std::string include_dir;  // empty: <install root>/share/include
    std::string hosts_dir;    // empty: <install root>/hosts
    // Has the program that PyTorch starts as ninja; empty: <install
    // root>/lib/build.
    std::string ninja_folder;
    // libkb_jail.so, for a Python that has PyTorch loaded when an extension's
    // build needs it; empty: <install root>/lib/libkb_jail.so where one of the
    // folders above was empty too, else there is no such Python.
    std::string jail_library;
    uint64_t memory_bytes = uint64_t{8} << 30;  // of one build
    // The cache's size; 0: KB_CACHE_LIMIT ("4G", "500M"), else 4 GiB. What was
    // not used for longest goes first.
    uint64_t cache_limit_bytes = 0;
    // MAX_JOBS of a torch extension's build: a C++ source, and of a CUDA source
    // the phases for host and device.
    int64_t extension_jobs = 3;
  };
  static base::Result<Compiler> Create(Toolchain toolchain, Options options);
  Compiler(Compiler&&) noexcept;
  Compiler& operator=(Compiler&&) noexcept;
  Compiler(const Compiler&) = delete;
  Compiler& operator=(const Compiler&) = delete;
  ~Compiler();

  // `device_arch`: "sm_90" and the like; anything else ("x86-64") means that
  // there is no GPU, and CUDA is compiled for sm_90 as a check. The candidate's
  // failure is an outcome; an Error is ours (no compiler, jail refused, disk
  // full, asked to stop).
  base::Result<Artifact> Compile(const record::Candidate& candidate,
                                 const record::Policy& policy,
                                 const std::string& device_arch,
                                 std::stop_token stop) const;

  const Toolchain& toolchain() const;

 private:
  struct State;
  explicit Compiler(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace kb::compile
