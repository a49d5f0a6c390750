#include "compile/compiler.h"

#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <filesystem>

#include "base/mutex.h"
#include "base/text.h"
#include "bindings.h"
#include "builds.h"
#include "compile/cache.h"
#include "header_libraries.h"
#include "os/files.h"

namespace kb::compile {
namespace {

using base::Fail;
using base::Result;

using Clock = std::chrono::steady_clock;

double SecondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// KB_CACHE_SHARED: caches of others, as KB_CACHE names ours.
std::vector<std::string> SharedCaches() {
  const char* text = std::getenv("KB_CACHE_SHARED");
  std::vector<std::string> folders;
  for (const std::string& cache : base::Split(text == nullptr ? "" : text, ':'))
    if (!cache.empty()) folders.push_back(cache + "/artifacts");
  return folders;
}

// Fills the folders that were left empty.
Result<void> Complete(Compiler::Options* options) {
  if (options->cache_dir.empty()) {
    KB_ASSIGN(options->cache_dir, os::CacheDirectory("artifacts"));
  }
  if (!options->include_dir.empty() && !options->hosts_dir.empty() &&
      !options->ninja_folder.empty())
    return base::Ok();
  KB_ASSIGN(const std::string root, os::InstallRoot());
  if (options->include_dir.empty())
    options->include_dir = root + "/share/include";
  if (options->hosts_dir.empty()) options->hosts_dir = root + "/hosts";
  if (options->ninja_folder.empty())
    options->ninja_folder = root + "/lib/build";
  if (options->jail_library.empty())
    options->jail_library = root + "/lib/libkb_jail.so";
  return base::Ok();
}

// A time-out or a lack of memory may have been the machine's.
bool IsLasting(const Artifact& artifact) {
  return !artifact.doubtful && artifact.status != BuildStatus::kNotSet &&
         artifact.status != BuildStatus::kTimedOut &&
         artifact.status != BuildStatus::kOutOfMemory;
}

}  // namespace

struct Compiler::State {
  Toolchain toolchain;
  Options options;
  ArtifactCache cache;
  std::unique_ptr<WarmPython> python;  // null: there is no Python at all
  struct Once {
    std::atomic<int> built{0};  // extensions that had to be
    base::Mutex making;
    bool failed KB_THREAD_ANNOTATION(guarded_by(making)) = false;
  };
  // Of what is compiled once for all extensions.
  std::unique_ptr<Once> once = std::make_unique<Once>();

  // What `build` makes of an empty folder for the entry; where that failed, and
  // perhaps not by the source, what it makes of another one.
  template <typename Build>
  Result<Artifact> BuildEntry(const Build& build,
                              const std::stop_token& stop) const {
    KB_ASSIGN(const std::string entry, cache.Begin(build.key()));
    Result<Artifact> artifact = build.Run(entry);
    if ((artifact && !artifact->doubtful) || stop.stop_requested())
      return artifact;
    KB_TRY(cache.Begin(build.key()));
    return build.Run(entry);
  }

  // The entry, or what `build` makes of it.
  template <typename Build>
  Result<Artifact> Cached(const Build& build,
                          const BuildRequest& request) const {
    const std::string& key = build.key();
    if (auto found = cache.Find(key)) return std::move(*found);
    // A few processes may build it in turn, each of them twice.
    constexpr int64_t kBuilds = 8;
    const std::chrono::seconds limit(
        kBuilds * std::llround(request.policy.compile_seconds));
    KB_ASSIGN(const os::FileLock lock, cache.Lock(key, limit));
    if (auto found = cache.Find(key)) return std::move(*found);
    KB_ASSIGN(Artifact artifact, BuildEntry(build, request.stop));
    if (IsLasting(artifact)) KB_TRY(cache.Publish(key, artifact));
    return artifact;
  }

  // BindingsObject. To make it takes as long as one extension without it or
  // two, so that the first does without. The others wait: with it they take a
  // second or two, and compilers that they started now would slow it down.
  std::string Bindings(const std::string& device_arch,
                       const std::stop_token& stop) const {
    const record::Candidate candidate = BindingsCandidate();
    const record::Policy policy;
    const BuildRequest request{toolchain,   options, candidate,   policy,
                               device_arch, stop,    python.get()};
    const auto build = ExtensionBuild::Plan(request);
    if (!build) return "";
    const int before = once->built++;
    if (const auto known = cache.Find(build->key()))
      return BindingsObject(*known);
    if (before == 0) return "";
    const base::MutexLock lock(&once->making);
    if (once->failed) return "";
    const auto made = Cached(*build, request);
    const std::string object = made ? BindingsObject(*made) : "";
    once->failed = object.empty();
    return object;
  }

  Result<Artifact> Build(const BuildRequest& request) const {
    if (request.candidate.track == record::Track::kNative) {
      KB_ASSIGN(const NativeBuild build, NativeBuild::Plan(request));
      KB_ASSIGN(Artifact artifact, Cached(build, request));
      build.Describe(&artifact);
      return artifact;
    }
    KB_ASSIGN(const ExtensionBuild build, ExtensionBuild::Plan(request));
    KB_ASSIGN(Artifact artifact, Cached(build, request));
    build.Describe(&artifact);
    return artifact;
  }
};

Result<Compiler> Compiler::Create(Toolchain toolchain, Options options) {
  KB_TRY(Complete(&options));
  uint64_t limit = options.cache_limit_bytes;
  if (limit == 0) {
    KB_ASSIGN(limit, CacheLimit());
  }
  KB_ASSIGN(ArtifactCache cache,
            ArtifactCache::Open(options.cache_dir, limit, SharedCaches()));
  std::unique_ptr<WarmPython> python;
  if (toolchain.python.tool)
    python = std::make_unique<WarmPython>(
        *toolchain.python.tool, options.hosts_dir, options.jail_library);
  return Compiler(
      std::make_unique<State>(State{std::move(toolchain), std::move(options),
                                    std::move(cache), std::move(python)}));
}

Compiler::Compiler(std::unique_ptr<State> state) : state_(std::move(state)) {}
Compiler::Compiler(Compiler&&) noexcept = default;
Compiler& Compiler::operator=(Compiler&&) noexcept = default;
Compiler::~Compiler() = default;

const Toolchain& Compiler::toolchain() const { return state_->toolchain; }

Result<Artifact> Compiler::Compile(const record::Candidate& candidate,
                                   const record::Policy& policy,
                                   const std::string& device_arch,
                                   std::stop_token stop) const {
  const auto start = Clock::now();
  if (candidate.track == record::Track::kPython &&
      !candidate.builds_extension) {
    Artifact nothing;
    nothing.status = BuildStatus::kNothingToBuild;
    return nothing;
  }
  const auto bindings = [&] { return state_->Bindings(device_arch, stop); };
  KB_ASSIGN(
      Artifact artifact,
      state_->Build({state_->toolchain, state_->options, candidate, policy,
                     device_arch, stop, state_->python.get(), bindings}));
  artifact.seconds = SecondsSince(start);
  const std::string advice = AdviceOnHeaders(artifact.log);
  if (!advice.empty()) artifact.log += "\n" + advice;
  return artifact;
}

}  // namespace kb::compile
