#include "python.h"

#include <algorithm>
#include <chrono>
#include <filesystem>

#include "base/hash.h"
#include "base/json.h"
#include "base/text.h"
#include "os/files.h"
#include "os/process.h"
#include "places.h"

namespace kb::compile {
namespace {

using base::Fail;
using base::Json;
using base::Ok;
using base::Result;

namespace fs = std::filesystem;

// torch from a cold disk takes half a minute on a slow network file system.
constexpr std::chrono::seconds kProbeLimit{120};

const std::vector<int64_t> kOldestPython = {3, 10};
const std::vector<int64_t> kOldestTorch = {2, 4};

constexpr const char* kAdvice =
    "install PyTorch into a virtual environment (pip install torch numpy), and "
    "set KB_PYTHON to its python, or call it .venv beside the program";

// A change to this is a change of what stands in a folder or file.
int64_t Stamp(const fs::path& path) {
  std::error_code error;
  const auto time = fs::last_write_time(path, error);
  return error ? 0 : time.time_since_epoch().count();
}

// What decides which devices are seen: containers and boots differ in it.
std::string DeviceWorld() {
  std::vector<std::string> nodes;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator("/dev", ignored)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with("nvidia")) nodes.push_back(name);
  }
  std::sort(nodes.begin(), nodes.end());
  base::KeyBuilder key;
  for (const std::string& node : nodes) key.Add(node);
  for (const char* file :
       {"/proc/sys/kernel/random/boot_id", "/proc/driver/nvidia/version"})
    key.Add(os::ReadFile(file).value_or(""));
  return key.Finish();
}

std::string CacheKey(const SearchPlaces& places, const std::string& interpreter,
                     const std::string& probe_source) {
  base::KeyBuilder key;
  key.Add(probe_source).Add(interpreter).Add(DeviceWorld());
  key.Add(std::to_string(Stamp(Resolved(interpreter))));
  for (const char* name : {"CUDA_VISIBLE_DEVICES", "NVIDIA_VISIBLE_DEVICES",
                           "CUDA_DEVICE_ORDER", "LD_LIBRARY_PATH"})
    key.Add(Environment(places, name).value_or(""));
  return key.Finish();
}

// Installing, removing or replacing a package changes one of these.
Json TorchStamps(const Json& facts) {
  const auto torch = base::Get<Json>(facts, "torch");
  if (!torch) return nullptr;
  const fs::path package = torch->value("package", "");
  if (Stamp(package / "version.py") == 0) return nullptr;
  return {Stamp(package / "version.py"), Stamp(package.parent_path())};
}

Result<Json> ReadCachedFacts(const std::string& file) {
  KB_ASSIGN(const std::string text, os::ReadFile(file));
  KB_ASSIGN(const Json cached, base::ParseJson(text, file));
  KB_ASSIGN(Json facts, base::Get<Json>(cached, "facts"));
  KB_ASSIGN(const Json stamps, base::Get<Json>(cached, "stamps"));
  if (stamps.is_null() || stamps != TorchStamps(facts))
    return Fail("packages have changed");
  return facts;
}

// Keeps the answer when it will stay true: a device that is there but could
// not be opened just now may open the next time.
void CacheFacts(const std::string& file, const Json& facts) {
  const Json stamps = TorchStamps(facts);
  if (stamps.is_null()) return;
  if (facts.contains("devices_error")) return;
  std::error_code ignored;
  if (fs::exists("/dev/nvidiactl", ignored) &&
      facts.value("devices", Json::array()).empty())
    return;
  const Json cached = {{"facts", facts}, {"stamps", stamps}};
  // A cache that cannot be written costs time, not correctness.
  static_cast<void>(os::WriteFileAtomically(file, base::DumpJson(cached)));
}

Result<Json> RunProbe(const std::string& interpreter,
                      const std::string& probe) {
  KB_ASSIGN(const os::Captured run,
            os::RunAndCapture({interpreter, "-I", probe}, kProbeLimit));
  const auto* exited = std::get_if<os::Exited>(&run.status);
  if (exited == nullptr || exited->code != 0) {
    const std::string said = base::Printable(base::Trim(run.err));
    return Fail("ended with {}: {}", os::Describe(run.status),
                base::Shorten(said, 400));
  }
  return base::ParseJson(base::Trim(run.out), "its answer");
}

Result<Json> Facts(const SearchPlaces& places, const std::string& interpreter) {
  const std::string probe = places.install_root + "/hosts/probe.py";
  KB_ASSIGN(const std::string source, os::ReadFile(probe));
  // Whoever needs the cache says what is wrong with it: here it would seem to
  // be wrong with the interpreter.
  const auto folder = os::CacheDirectory("probe");
  if (!folder) return RunProbe(interpreter, probe);
  const std::string file =
      *folder + "/" + CacheKey(places, interpreter, source) + ".json";
  if (auto cached = ReadCachedFacts(file)) return cached;
  KB_ASSIGN(Json facts, RunProbe(interpreter, probe));
  CacheFacts(file, facts);
  return facts;
}

Result<void> CheckVersions(const Json& facts) {
  KB_ASSIGN(const std::string version,
            base::Get<std::string>(facts, "version"));
  if (ParseVersion(version) < kOldestPython)
    return Fail("is Python {}, 3.10 or later is needed", version);
  if (!facts.contains("torch"))
    return Fail("has no usable PyTorch ({})",
                facts.value("torch_error", "no reason given"));
  KB_ASSIGN(const Json torch, base::Get<Json>(facts, "torch"));
  KB_ASSIGN(const std::string torch_version,
            base::Get<std::string>(torch, "version"));
  if (ParseVersion(torch_version) < kOldestTorch)
    return Fail("has PyTorch {}, 2.4 or later is needed", torch_version);
  return Ok();
}

std::vector<std::string> Strings(const Json& facts, const char* key) {
  return base::Get<std::vector<std::string>>(facts, key)
      .value_or(std::vector<std::string>());
}

// Every folder on the way from the name of an interpreter to its file: a jail
// has to follow the same symlinks.
void AddInterpreterChain(const SearchPlaces& places, fs::path file,
                         std::vector<jail::Bind>* binds) {
  std::error_code error;
  for (int links = 0; links < 40 && fs::is_symlink(file, error); ++links) {
    const fs::path target = fs::read_symlink(file, error);
    if (error) return;
    file = (file.parent_path() / target).lexically_normal();
    if (file.parent_path().filename() == "bin")
      AddPrefix(places, file.parent_path().parent_path().string(), binds);
  }
}

std::vector<jail::Bind> Prefixes(const SearchPlaces& places, const Json& facts,
                                 const std::string& interpreter) {
  std::vector<jail::Bind> binds;
  for (const char* key : {"prefix", "base_prefix"})
    AddPrefix(places, facts.value(key, ""), &binds);
  AddInterpreterChain(places, interpreter, &binds);
  for (const std::string& folder : Strings(facts, "path"))
    AddPrefix(places, folder, &binds);
  if (facts.contains("torch")) {
    const fs::path package = facts["torch"].value("package", "");
    AddPrefix(places, package.parent_path().string(), &binds);
  }
  return binds;
}

// Where libraries of CUDA lie.
std::vector<std::string> CudaDirs(const Json& facts) {
  std::vector<std::string> folders = Strings(facts, "library_dirs");
  if (facts.contains("torch"))
    folders.push_back(facts["torch"].value("package", "") + "/lib");
  folders.push_back(facts.value("prefix", "") + "/lib");
  return folders;
}

// The first file in a folder whose name begins so.
std::optional<std::string> FirstIn(const std::string& folder,
                                   const char* begins) {
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored))
    if (entry.path().filename().string().starts_with(begins))
      return entry.path().string();
  return std::nullopt;
}

std::vector<std::string> NvrtcDirs(const Json& facts) {
  std::vector<std::string> folders = CudaDirs(facts);
  std::erase_if(folders, [](const std::string& folder) {
    return !FirstIn(folder, "libnvrtc.so");
  });
  return folders;
}

// Of PyTorch's wheels, or else of the toolkit.
std::string FindCupti(const Json& facts) {
  std::vector<std::string> folders = CudaDirs(facts);
  folders.emplace_back("/usr/local/cuda/extras/CUPTI/lib64");
  for (const std::string& folder : folders)
    if (const auto file = FirstIn(folder, "libcupti.so."))
      return Resolved(*file);
  return "";
}

Result<std::vector<CudaDevice>> Devices(const Json& facts) {
  std::vector<CudaDevice> devices;
  if (!facts.contains("devices")) return devices;
  for (const Json& entry : facts["devices"]) {
    CudaDevice device;
    KB_ASSIGN(device.index, base::Get<int64_t>(entry, "index"));
    KB_ASSIGN(device.name, base::Get<std::string>(entry, "name"));
    KB_ASSIGN(device.capability, base::Get<std::string>(entry, "capability"));
    KB_ASSIGN(device.total_bytes, base::Get<uint64_t>(entry, "total_bytes"));
    device.uuid = entry.value("uuid", "");
    devices.push_back(std::move(device));
  }
  return devices;
}

Result<Python> Examine(const SearchPlaces& places,
                       const std::string& interpreter) {
  KB_ASSIGN(const Json facts, Facts(places, interpreter));
  KB_TRY(CheckVersions(facts));
  KB_ASSIGN(const Json torch, base::Get<Json>(facts, "torch"));
  Python python;
  KB_ASSIGN(const fs::path executable,
            base::Get<std::string>(facts, "executable"));
  python.path =
      (fs::path(Resolved(executable.parent_path())) / executable.filename())
          .string();
  KB_ASSIGN(python.version, base::Get<std::string>(facts, "version"));
  KB_ASSIGN(python.torch_version, base::Get<std::string>(torch, "version"));
  KB_ASSIGN(python.torch_cuda, base::Get<std::string>(torch, "cuda"));
  KB_ASSIGN(const fs::path package, base::Get<std::string>(torch, "package"));
  python.site_packages = Resolved(package.parent_path().string());
  KB_ASSIGN(python.has_triton, base::Get<bool>(facts, "has_triton"));
  KB_ASSIGN(python.has_numpy, base::Get<bool>(facts, "has_numpy"));
  KB_ASSIGN(python.fla_version, base::Get<std::string>(facts, "fla"));
  KB_ASSIGN(python.cuda_devices, Devices(facts));
  python.driver = facts.value("driver", "");
  python.library_dirs = Strings(facts, "library_dirs");
  python.include_dirs = Strings(facts, "include_dirs");
  python.nvrtc_dirs = NvrtcDirs(facts);
  python.cupti = FindCupti(facts);
  python.prefixes = Prefixes(places, facts, python.path);
  return python;
}

std::vector<std::string> Interpreters(const SearchPlaces& places) {
  if (auto chosen = Environment(places, "KB_PYTHON")) return {*chosen};
  std::vector<std::string> found;
  for (const std::string& folder : FoldersAbove(places.install_root)) {
    std::error_code ignored;
    const std::string file = folder + "/.venv/bin/python3";
    if (fs::exists(file, ignored)) found.push_back(file);
  }
  if (auto file = FindOnPath(places, "python3")) found.push_back(*file);
  return found;
}

}  // namespace

Found<Python> FindPython(const SearchPlaces& places) {
  std::string wrong;
  for (const std::string& interpreter : Interpreters(places)) {
    auto python = Examine(places, interpreter);
    if (python) return {std::move(*python), ""};
    wrong += fmt::format("{} {}; ", interpreter, python.error().message());
  }
  if (wrong.empty()) wrong = "there is no python3 on PATH; ";
  return {std::nullopt, wrong + kAdvice};
}

}  // namespace kb::compile
