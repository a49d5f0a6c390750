#include <algorithm>
#include <array>
#include <string_view>

#include "base/text.h"
#include "builds.h"
#include "harvest.h"
#include "os/files.h"
#include "source_check/source_text.h"

namespace kb::compile {
namespace {

using base::Fail;
using base::Ok;
using base::Result;

constexpr const char* kArtifactName = "candidate.so";
constexpr uint64_t kMaxArtifactBytes = uint64_t{256} << 20;

// A header of CUDA, and the library that its functions are in.
struct Library {
  std::string_view header;
  std::string_view name;
};
constexpr std::array<Library, 8> kLibraries = {{
    {"cublas_v2.h", "cublas"},
    {"cublasLt.h", "cublasLt"},
    {"cudnn.h", "cudnn"},
    {"cufft.h", "cufft"},
    {"curand.h", "curand"},
    {"cusparse.h", "cusparse"},
    {"cusolverDn.h", "cusolver"},
    {"nvrtc.h", "nvrtc"},
}};

std::vector<std::string> LibrariesFor(const std::string& source) {
  std::vector<std::string> flags;
  for (const std::string& line : base::Split(source, '\n')) {
    const auto include = source_check::IncludeOf(line);
    if (!include || include->mark == 0) continue;
    // npos + 1 is 0
    const std::string_view header =
        include->name.substr(include->name.rfind('/') + 1);
    for (const Library& library : kLibraries) {
      const std::string flag = fmt::format("-l{}", library.name);
      if (header == library.header &&
          std::find(flags.begin(), flags.end(), flag) == flags.end())
        flags.push_back(flag);
    }
  }
  return flags;
}

// What is not a path, of a command line.
void AddFlags(const std::vector<std::string>& flags, base::KeyBuilder* key) {
  for (const std::string& flag : flags) key->Add(flag);
}

}  // namespace

Result<NativeBuild> NativeBuild::Plan(const BuildRequest& request) {
  NativeBuild build(request);
  const Toolchain& tools = request.toolchain;
  const bool cuda = request.candidate.backend == record::Backend::kCuda;
  if (!tools.gxx.tool) return Fail("{}", tools.gxx.reason);
  if (cuda && !tools.nvcc.tool)
    return Fail("a CUDA candidate needs nvcc: {}", tools.nvcc.reason);

  const std::string header =
      request.options.include_dir + "/kernelbench/candidate.h";
  KB_ASSIGN(const std::string interface, os::ReadFile(header));
  build.file_name_ =
      SafeFileName(request.candidate.name, cuda ? ".cu" : ".cpp");
  build.tools_ = tools.gxx.tool->prefixes;
  build.headers_ = HeadersFor(request.candidate.source, tools.headers,
                              CudaArchitecture(request.device_arch));
  if (cuda)
    build.PlanCuda(*tools.nvcc.tool);
  else
    build.PlanCpp();
  build.PlanHeaders();

  base::KeyBuilder key;
  key.Add("native").Add(KB_VERSION).Add(interface).Add(build.file_name_);
  key.Add(request.candidate.source);
  key.Add(tools.gxx.tool->path).Add(tools.gxx.tool->version);
  if (cuda) key.Add(tools.nvcc.tool->version);
  if (!cuda) key.Add(CpuIdentity());
  AddFlags(build.command_, &key);
  AddFlags(build.libraries_, &key);
  AddFlags(build.headers_.contents, &key);
  build.key_ = key.Finish();
  return build;
}

void NativeBuild::PlanCuda(const Nvcc& nvcc) {
  const std::string arch = CudaArchitecture(request_.device_arch);
  command_ = {nvcc.path,
              "-O3",
              headers_.cxx20 ? "-std=c++20" : "-std=c++17",
              "--shared",
              "-Xcompiler",
              "-fPIC",
              "-cudart",
              "static",
              fmt::format("-gencode=arch=compute_{0},code=sm_{0}", arch),
              "-ccbin",
              request_.toolchain.gxx.tool->path,
              "-isystem",
              nvcc.cuda_home + "/include"};
  command_.insert(command_.end(), headers_.flags.begin(), headers_.flags.end());
  tools_.insert(tools_.end(), nvcc.prefixes.begin(), nvcc.prefixes.end());
  for (const std::string& folder : nvcc.library_dirs)
    libraries_.push_back("-L" + folder);
  const std::vector<std::string> names =
      LibrariesFor(request_.candidate.source);
  libraries_.insert(libraries_.end(), names.begin(), names.end());
  if (names.empty()) return;
  for (const std::string& folder : nvcc.library_dirs) {
    libraries_.push_back("-Xlinker");
    libraries_.push_back("-rpath=" + folder);
  }
  run_binds_ = nvcc.prefixes;
}

void NativeBuild::PlanCpp() {
  command_ = {request_.toolchain.gxx.tool->path,
              "-O3",
              "-march=native",
              "-std=c++20",
              "-shared",
              "-fPIC",
              "-fopenmp"};
}

// Before CUDA's own, which hold other versions of some.
void NativeBuild::PlanHeaders() {
  std::vector<std::string> flags;
  for (const std::string& folder : headers_.folders)
    flags.insert(flags.end(), {"-isystem", folder});
  command_.insert(command_.begin() + 1, flags.begin(), flags.end());
  tools_.insert(tools_.end(), headers_.binds.begin(), headers_.binds.end());
}

// The compiler does not know the GPU: our tools are too old, the candidate has
// done nothing wrong.
Result<void> NativeBuild::CheckCuda(const std::string& log) const {
  if (!log.starts_with("nvcc fatal   : Unsupported gpu architecture"))
    return Ok();
  return Fail("{} {} cannot compile for {}: install a newer nvcc",
              command_.front(), request_.toolchain.nvcc.tool->version,
              request_.device_arch);
}

ToolRun NativeBuild::Compilation(const Workshop& shop) const {
  const std::string& include_dir = request_.options.include_dir;
  ToolRun run = StartRun(request_, shop);
  run.argv = command_;
  run.argv.insert(run.argv.end(),
                  {"-I", include_dir, shop.source_inside(), "-o",
                   shop.output_inside() + "/" + kArtifactName});
  run.argv.insert(run.argv.end(), libraries_.begin(), libraries_.end());
  run.env = CompilerEnvironment(
      SearchPath({command_.front(), request_.toolchain.gxx.tool->path}));
  run.binds.insert(run.binds.end(), tools_.begin(), tools_.end());
  run.binds.push_back({include_dir, include_dir, false});
  run.output_limit = 2 * kMaxArtifactBytes;
  return run;
}

Result<Artifact> NativeBuild::Run(const std::string& entry) const {
  KB_ASSIGN(const Workshop shop,
            Workshop::Create(request_.options.isolation, file_name_,
                             request_.candidate.source));
  KB_ASSIGN(const ToolResult result, RunTool(Compilation(shop), request_.stop));
  Artifact artifact;
  artifact.build_seconds = result.seconds;
  artifact.log = result.log;
  artifact.doubtful = result.doubtful;
  artifact.status = result.cut_short.value_or(
      result.exit_code == 0 ? BuildStatus::kOk : BuildStatus::kFailed);
  if (artifact.status == BuildStatus::kFailed) KB_TRY(CheckCuda(result.log));
  if (artifact.status != BuildStatus::kOk) return artifact;

  const std::string path = entry + "/" + kArtifactName;
  const auto harvested =
      HarvestElf(shop.output(), kArtifactName, path, kMaxArtifactBytes);
  if (harvested) {
    artifact.path = path;
    artifact.log.clear();
  } else {
    KB_TRY(CheckRoom(entry, harvested.error().message()));
    artifact.status = BuildStatus::kFailed;
    artifact.log = fmt::format("The compiler reported success, but {}.\n{}",
                               harvested.error().message(), artifact.log);
  }
  return artifact;
}

void NativeBuild::Describe(Artifact* artifact) const {
  if (artifact->status == BuildStatus::kOk) artifact->run_binds = run_binds_;
}

}  // namespace kb::compile
