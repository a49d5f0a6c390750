#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>

#include "base/text.h"
#include "bindings.h"
#include "builds.h"
#include "harvest.h"
#include "os/files.h"
#include "places.h"

namespace kb::compile {
namespace {

using base::Fail;
using base::Ok;
using base::Result;

namespace fs = std::filesystem;

// Inside a full jail, when building and when running: ninja's files name it.
constexpr const char* kExtensionsInside = "/tmp/torch_extensions";
constexpr const char* kArtifactName = "torch_extensions";
constexpr uint64_t kMaxExtensionBytes = uint64_t{1} << 30;

// What hosts/build_host.py says with its exit code.
constexpr int kBuilt = 0;
constexpr int kBuildFailed = 3;

constexpr std::chrono::hours kAbandonedAfter{24};

// Programs of ours in the jail.
constexpr const char* kHost = "/build_host.py";
constexpr const char* kAllowedOptions = "/compiler_options.py";

// What PyTorch starts as ninja (src/builder), in the folder of ours.
constexpr const char* kNinja = "/ninja";

// Where extensions are built below Isolation::kFull, one folder a key. The
// jailed user must reach it, so it is not in our cache, which may lie below
// /root; and nobody may list it, so that its names stay unknown.
Result<std::string> ExtensionsRoot(const std::string& cache_dir) {
  std::string path =
      fmt::format("/tmp/kernelbench-extensions-{}-{}", ::getuid(),
                  base::Sha256(cache_dir).substr(0, 8));
  if (::mkdir(path.c_str(), 0711) != 0 && errno != EEXIST)
    return os::FailErrno("mkdir " + path);
  struct stat status{};
  if (::lstat(path.c_str(), &status) != 0) return os::FailErrno("stat " + path);
  if (!S_ISDIR(status.st_mode) || status.st_uid != ::getuid())
    return Fail("{} is not a folder of ours: remove it", path);
  if (::chmod(path.c_str(), 0711) != 0) return os::FailErrno("chmod " + path);
  return path;
}

// Removes what builds left that were killed.
void SweepExtensions(const fs::path& root) {
  const auto old = fs::file_time_type::clock::now() - kAbandonedAfter;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(root, error)) {
    std::error_code ignored;
    if (fs::last_write_time(entry.path(), ignored) < old)
      (void)os::RemoveTree(entry.path().string());
  }
}

Result<void> MakeEmptyFolder(const std::string& path) {
  KB_TRY(os::RemoveTree(path));
  return os::MakeDirectories(path);
}

// Something was declared and is nowhere defined, as a template can be whose
// definition is in headers that were left out.
bool MayNeedWholeHeaders(const Artifact& artifact) {
  return artifact.status != BuildStatus::kFailed &&
         artifact.log.find("undefined symbol") != std::string::npos;
}

int64_t ModifiedTime(const std::string& path) {
  std::error_code error;
  const auto time = fs::last_write_time(path, error);
  return error ? 0 : time.time_since_epoch().count();
}

}  // namespace

Result<ExtensionBuild> ExtensionBuild::Plan(const BuildRequest& request) {
  ExtensionBuild build(request);
  const Toolchain& tools = request.toolchain;
  if (!tools.python.tool) return Fail("{}", tools.python.reason);
  if (!tools.gxx.tool) return Fail("{}", tools.gxx.reason);
  if (request.candidate.backend == record::Backend::kCuda && !tools.nvcc.tool)
    return Fail("a CUDA candidate needs nvcc: {}", tools.nvcc.reason);
  build.file_name_ = SafeFileName(request.candidate.name, ".py");
  KB_TRY(build.PlanEnvironment());
  KB_TRY(build.PlanKey());
  build.extensions_dir_ = kExtensionsInside;
  if (request.options.isolation != jail::Isolation::kFull) {
    KB_ASSIGN(const std::string root,
              ExtensionsRoot(request.options.cache_dir));
    build.extensions_dir_ = root + "/" + build.key_;
  }
  build.env_["TORCH_EXTENSIONS_DIR"] = build.extensions_dir_;
  return build;
}

Result<void> ExtensionBuild::PlanEnvironment() {
  const Toolchain& tools = request_.toolchain;
  const Python& python = *tools.python.tool;
  const Gxx& gxx = *tools.gxx.tool;
  const std::string& ninja_folder = request_.options.ninja_folder;
  std::vector<std::string> programs = {ninja_folder + kNinja, python.path,
                                       gxx.path};
  tools_ = gxx.prefixes;
  tools_.push_back({ninja_folder, ninja_folder, false});
  env_["CXX"] = gxx.path;
  // ccache would fill a cache that goes with the jail.
  env_["TORCH_NO_COMPILER_WRAPPER"] = "1";
  env_["TORCH_CUDA_ARCH_LIST"] = "9.0a";
  if (tools.nvcc.tool) {
    const Nvcc& nvcc = *tools.nvcc.tool;
    programs.push_back(nvcc.path);
    tools_.insert(tools_.end(), nvcc.prefixes.begin(), nvcc.prefixes.end());
    env_["CUDA_HOME"] = nvcc.cuda_home;
    std::string arch = CudaArchitecture(request_.device_arch);
    // torch writes sm_90a as 9.0a.
    arch.insert(arch.find_last_of("0123456789"), ".");
    env_["TORCH_CUDA_ARCH_LIST"] = arch;
  }
  PlanHeaders();
  env_["PATH"] = SearchPath(programs);
  return Ok();
}

// Candidates look for a library by its variable, or expect it where the
// compiler looks by itself.
void ExtensionBuild::PlanHeaders() {
  headers_ = HeadersFor(request_.candidate.source, request_.toolchain.headers,
                        CudaArchitecture(request_.device_arch));
  if (headers_.folders.empty()) return;
  env_.insert(headers_.env.begin(), headers_.env.end());
  env_["CPLUS_INCLUDE_PATH"] =
      fmt::format("{}", fmt::join(headers_.folders, ":"));
  tools_.insert(tools_.end(), headers_.binds.begin(), headers_.binds.end());
}

Result<void> ExtensionBuild::PlanKey() {
  const Python& python = *request_.toolchain.python.tool;
  const std::string& hosts = request_.options.hosts_dir;
  KB_ASSIGN(const std::string host, os::ReadFile(hosts + kHost));
  KB_ASSIGN(const std::string allowed, os::ReadFile(hosts + kAllowedOptions));
  KB_ASSIGN(const std::string ninja,
            os::ReadFile(request_.options.ninja_folder + kNinja));
  base::KeyBuilder key;
  key.Add("extension").Add(KB_VERSION).Add(host).Add(allowed).Add(file_name_);
  key.Add(ninja).Add(BindingsCandidate().source);
  key.Add(request_.candidate.source);
  key.Add(python.path).Add(python.version);
  key.Add(python.site_packages).Add(python.torch_version);
  key.Add(
      std::to_string(ModifiedTime(python.site_packages + "/torch/version.py")));
  key.Add(request_.toolchain.gxx.tool->version);
  if (request_.toolchain.nvcc.tool)
    key.Add(request_.toolchain.nvcc.tool->version);
  for (const auto& [name, value] : env_) key.Add(name).Add(value);
  for (const std::string& contents : headers_.contents) key.Add(contents);
  key.Add(CpuIdentity());
  // The folders in the file for ninja.
  key.Add(request_.options.isolation == jail::Isolation::kFull ? "own /tmp"
                                                               : "host's /tmp");
  key_ = key.Finish();
  return Ok();
}

Result<Workshop> ExtensionBuild::MakeWorkshop() const {
  const Compiler::Options& options = request_.options;
  std::string output;
  if (options.isolation != jail::Isolation::kFull) {
    output = extensions_dir_;
    KB_TRY(MakeEmptyFolder(output));
    SweepExtensions(fs::path(output).parent_path());
  }
  KB_ASSIGN(Workshop shop, Workshop::Create(options.isolation, file_name_,
                                            request_.candidate.source, output));
  shop.RenameOutputInside(kExtensionsInside);
  return shop;
}

ToolRun ExtensionBuild::Import(const Workshop& shop) const {
  const Python& python = *request_.toolchain.python.tool;
  const std::string host = request_.options.hosts_dir + kHost;
  const std::string allowed = request_.options.hosts_dir + kAllowedOptions;
  ToolRun run = StartRun(request_, shop);
  run.argv = {python.path, "-I", host, shop.source_inside()};
  run.python = request_.python;
  run.env = CompilerEnvironment(env_.at("PATH"));
  run.env.insert(env_.begin(), env_.end());
  run.env["MAX_JOBS"] = std::to_string(request_.options.extension_jobs);
  run.binds.insert(run.binds.end(), python.prefixes.begin(),
                   python.prefixes.end());
  run.binds.insert(run.binds.end(), tools_.begin(), tools_.end());
  run.binds.push_back({host, host, false});
  run.binds.push_back({allowed, allowed, false});
  run.output_limit = kMaxExtensionBytes;
  run.runs_candidate = true;
  return run;
}

// Without CUDA, functions are defined where they are bound: nothing is compiled
// once for them. Below a full jail the builder may not be able to reach our
// cache.
void ExtensionBuild::ShowBindings(ToolRun* run) const {
  if (!request_.bindings ||
      request_.options.isolation != jail::Isolation::kFull ||
      request_.candidate.backend != record::Backend::kCuda)
    return;
  const std::string object = request_.bindings();
  if (object.empty()) return;
  run->env["KB_BINDINGS"] = object;
  run->binds.push_back({object, object, false});
}

Result<Artifact> ExtensionBuild::Run(const std::string& entry) const {
  auto artifact = RunOnceOrTwice(entry);
  if (request_.options.isolation != jail::Isolation::kFull)
    (void)os::RemoveTree(extensions_dir_);
  return artifact;
}

Result<Artifact> ExtensionBuild::RunOnceOrTwice(
    const std::string& entry) const {
  KB_ASSIGN(Artifact artifact, RunWith(Headers::kSlimFirst, entry, 0));
  if (!MayNeedWholeHeaders(artifact)) return artifact;
  std::error_code ignored;
  fs::remove_all(entry + "/" + kArtifactName, ignored);
  return RunWith(Headers::kWhole, entry, artifact.build_seconds);
}

Result<Artifact> ExtensionBuild::RunWith(Headers headers,
                                         const std::string& entry,
                                         double spent) const {
  KB_ASSIGN(const Workshop shop, MakeWorkshop());
  ToolRun run = Import(shop);
  if (headers == Headers::kWhole)
    run.env["KB_WHOLE_HEADERS"] = "1";
  else
    ShowBindings(&run);
  run.spent_seconds = spent;
  KB_ASSIGN(const ToolResult result, RunTool(run, request_.stop));
  Artifact artifact;
  artifact.build_seconds = spent + result.seconds;
  artifact.log = result.log;
  artifact.doubtful = result.doubtful;
  if (result.cut_short || result.exit_code == kBuildFailed) {
    artifact.status = result.cut_short.value_or(BuildStatus::kFailed);
    return artifact;
  }
  const std::string path = entry + "/" + kArtifactName;
  const auto harvest = HarvestTree(shop.output(), path, kMaxExtensionBytes);
  if (!harvest) {
    KB_TRY(CheckRoom(entry, harvest.error().message()));
    artifact.status = BuildStatus::kFailed;
    artifact.log = fmt::format("The build left {}.", harvest.error().message());
    return artifact;
  }
  // When the module's own code failed, the run will say so; the log is kept
  // because there may be no other trace of it.
  if (result.exit_code == kBuilt) artifact.log.clear();
  artifact.status = BuildStatus::kNothingToBuild;
  if (harvest->shared_objects == 0) return artifact;
  artifact.status = BuildStatus::kOk;
  artifact.path = path;
  return artifact;
}

void ExtensionBuild::Describe(Artifact* artifact) const {
  if (artifact->status != BuildStatus::kOk) return;
  artifact->run_env = env_;
  artifact->run_binds = tools_;
}

}  // namespace kb::compile
