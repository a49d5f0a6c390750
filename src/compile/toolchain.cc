#include "compile/toolchain.h"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <regex>

#include "base/text.h"
#include "cuda_home.h"
#include "header_libraries.h"
#include "os/files.h"
#include "os/process.h"
#include "places.h"
#include "python.h"

namespace kb::compile {
namespace {

using base::Fail;
using base::Result;

namespace fs = std::filesystem;

constexpr std::chrono::seconds kVersionLimit{20};
constexpr int64_t kOldestGxx = 10;  // -std=c++20
constexpr int64_t kOldestWheelCuda = 13;

// What `argv` prints, which must end well.
Result<std::string> Ask(const std::vector<std::string>& argv) {
  KB_ASSIGN(const os::Captured run, os::RunAndCapture(argv, kVersionLimit));
  const auto* exited = std::get_if<os::Exited>(&run.status);
  if (exited == nullptr || exited->code != 0)
    return Fail("{} {} ended with {}", argv[0], argv[1],
                os::Describe(run.status));
  return run.out;
}

// The folder that an installed program belongs to.
std::string PrefixOf(const std::string& program) {
  const fs::path folder = fs::path(program).parent_path();
  return folder.filename() == "bin" ? folder.parent_path().string()
                                    : folder.string();
}

void AddLibraryDirs(const std::string& cuda_home, Nvcc* nvcc) {
  for (const char* name : {"/lib64", "/targets/x86_64-linux/lib", "/lib"}) {
    std::error_code ignored;
    const std::string folder = cuda_home + name;
    if (!fs::exists(folder + "/libcudart_static.a", ignored)) continue;
    nvcc->library_dirs.push_back(Resolved(folder));
    return;
  }
}

Result<Nvcc> ExamineNvcc(const SearchPlaces& places,
                         const Found<Python>& python, const std::string& path) {
  std::error_code error;
  if (!fs::is_regular_file(path, error)) return Fail("{} is no file", path);
  KB_ASSIGN(const std::string said, Ask({path, "--version"}));
  std::smatch match;
  if (!std::regex_search(said, match, std::regex(R"(release \S+, V(\S+))")))
    return Fail("{} --version does not speak as nvcc does", path);
  Nvcc nvcc;
  nvcc.version = match[1];
  nvcc.path = Resolved(path);
  const fs::path prefix = PrefixOf(nvcc.path);
  nvcc.is_wheel = prefix.parent_path().filename() == "nvidia";
  nvcc.cuda_home = prefix.string();
  AddPrefix(places, nvcc.cuda_home, &nvcc.prefixes);
  if (nvcc.is_wheel) {
    std::vector<std::string> wheels = {prefix.parent_path().string()};
    // torch's wheels have cuBLAS and what else torch's headers include.
    std::error_code ignored;
    const std::string beside_torch =
        python.tool ? python.tool->site_packages + "/nvidia" : "";
    if (beside_torch != wheels[0] && fs::is_directory(beside_torch, ignored))
      wheels.push_back(beside_torch);
    KB_ASSIGN(nvcc.cuda_home, MakeCudaHome(prefix.string(), wheels));
    for (const std::string& folder : wheels)
      AddPrefix(places, folder, &nvcc.prefixes);
    AddPrefix(places, nvcc.cuda_home, &nvcc.prefixes);
  }
  AddLibraryDirs(nvcc.cuda_home, &nvcc);
  return nvcc;
}

// The nvcc of the wheels: beside torch, or in the .toolkit that scripts/setup
// makes for a Python that is not ours. Those of CUDA 12 hold no program.
std::vector<std::string> WheelCompilers(const SearchPlaces& places,
                                        const Python& python) {
  const auto version = ParseVersion(python.torch_cuda);
  if (version.empty()) return {};
  std::vector<std::string> folders = {python.site_packages};
  for (const std::string& folder : FoldersAbove(places.install_root))
    folders.push_back(folder + "/.toolkit");
  std::vector<std::string> found;
  for (const std::string& folder : folders) {
    const std::string program =
        fmt::format("{}/nvidia/cu{}/bin/nvcc", folder, version[0]);
    std::error_code ignored;
    if (fs::exists(program, ignored)) found.push_back(program);
  }
  return found;
}

std::string NvccAdvice(const Found<Python>& python) {
  const auto version = python.tool ? ParseVersion(python.tool->torch_cuda)
                                   : std::vector<int64_t>();
  if (version.size() < 2 || version[0] < kOldestWheelCuda)
    return "install the CUDA toolkit, or set KB_NVCC to an nvcc";
  return fmt::format(
      "install the compiler of CUDA {0}.{1} beside torch (pip install "
      "'nvidia-cuda-nvcc=={0}.{1}.*' 'nvidia-cuda-crt=={0}.{1}.*' "
      "'nvidia-cuda-runtime=={0}.{1}.*'), or set KB_NVCC to an nvcc",
      version[0], version[1]);
}

Found<Nvcc> FindNvcc(const SearchPlaces& places, const Found<Python>& python) {
  std::vector<std::string> programs;
  if (auto chosen = Environment(places, "KB_NVCC")) {
    programs = {*chosen};
  } else {
    if (auto file = FindOnPath(places, "nvcc")) programs.push_back(*file);
    std::error_code ignored;
    const std::string usual = places.cuda_folder + "/bin/nvcc";
    if (fs::exists(usual, ignored)) programs.push_back(usual);
    if (python.tool)
      for (std::string& file : WheelCompilers(places, *python.tool))
        programs.push_back(std::move(file));
  }
  std::string wrong;
  for (const std::string& program : programs) {
    auto nvcc = ExamineNvcc(places, python, program);
    if (nvcc) return {std::move(*nvcc), ""};
    wrong += nvcc.error().message() + "; ";
  }
  if (wrong.empty()) wrong = "there is no nvcc; ";
  return {std::nullopt, wrong + NvccAdvice(python)};
}

Result<Gxx> ExamineGxx(const SearchPlaces& places, const std::string& path) {
  KB_ASSIGN(const std::string said, Ask({path, "-dumpfullversion"}));
  Gxx gxx;
  gxx.path = path;
  gxx.version = base::Trim(said);
  const auto version = ParseVersion(gxx.version);
  if (version.empty() || version[0] < kOldestGxx)
    return Fail("{} is g++ {}, {} or later is needed", path, gxx.version,
                kOldestGxx);
  AddPrefix(places, PrefixOf(path), &gxx.prefixes);
  AddPrefix(places, PrefixOf(Resolved(path)), &gxx.prefixes);
  return gxx;
}

Found<Gxx> FindGxx(const SearchPlaces& places) {
  auto path = Environment(places, "KB_CXX");
  if (!path) path = FindOnPath(places, "g++");
  if (!path) path = FindOnPath(places, "c++");
  constexpr const char* kHowToGet =
      "install g++ 10 or later (apt install g++), or set KB_CXX";
  if (!path)
    return {std::nullopt, fmt::format("there is no g++; {}", kHowToGet)};
  auto gxx = ExamineGxx(places, *path);
  if (gxx) return {std::move(*gxx), ""};
  return {std::nullopt,
          fmt::format("{}; {}", gxx.error().message(), kHowToGet)};
}

Found<Ncu> FindNcu(const SearchPlaces& places) {
  auto path = Environment(places, "KB_NCU");
  if (!path) path = FindOnPath(places, "ncu");
  const std::string usual = places.cuda_folder + "/bin/ncu";
  std::error_code ignored;
  if (!path && fs::exists(usual, ignored)) path = usual;
  if (!path)
    return {std::nullopt,
            "comes with CUDA's toolkit, or set KB_NCU; counts what kernels do "
            "(docs/profile.md)"};
  const auto said = Ask({*path, "--version"});
  if (!said) return {std::nullopt, said.error().message()};
  std::smatch match;
  if (!said->starts_with("NVIDIA (R) Nsight Compute") ||
      !std::regex_search(*said, match, std::regex(R"(Version (\S+))")))
    return {std::nullopt,
            fmt::format("{} --version does not speak as ncu does", *path)};
  return {Ncu{*path, match[1]}, ""};
}

std::string WhyNoCounters(const SearchPlaces& places) {
  constexpr uint64_t kMostBytes = 1 << 20;
  const auto parameters = os::ReadFile(places.driver_parameters, kMostBytes);
  if (!parameters ||
      parameters->find("RmProfilingAdminOnly: 1") == std::string::npos)
    return "";
  return "the driver lets only administrators count (ERR_NVGPUCTRPERM): load "
         "it with NVreg_RestrictProfilingToAdminUsers=0, or run ncu as root "
         "with CAP_SYS_ADMIN";
}

}  // namespace

std::string CudaDevice::TorchName() const {
  return fmt::format("cuda:{}", index);
}

Result<Toolchain> FindToolchain(const SearchPlaces& places) {
  Toolchain toolchain;
  toolchain.python = FindPython(places);
  toolchain.nvcc = FindNvcc(places, toolchain.python);
  toolchain.gxx = FindGxx(places);
  toolchain.ncu = FindNcu(places);
  toolchain.no_counters = WhyNoCounters(places);
  KB_ASSIGN(
      toolchain.headers,
      FindHeaderLibraries(places, toolchain.python.tool
                                      ? toolchain.python.tool->site_packages
                                      : ""));
  return toolchain;
}

Result<Toolchain> FindToolchain(const std::vector<std::string>& includes) {
  SearchPlaces places;
  places.includes = includes;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    const size_t equals = text.find('=');
    if (equals == std::string_view::npos) continue;
    places.env.emplace(text.substr(0, equals), text.substr(equals + 1));
  }
  KB_ASSIGN(places.install_root, os::InstallRoot());
  return FindToolchain(places);
}

}  // namespace kb::compile
