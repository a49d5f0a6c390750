#include "cuda_home.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>

#include "base/hash.h"
#include "os/files.h"

namespace kb::compile {
namespace {

using base::Fail;
using base::Ok;
using base::Result;

namespace fs = std::filesystem;

// What a compiler needs, and the wheel that brings it.
struct Part {
  const char* file;  // below the folder we make
  const char* wheel;
};
constexpr std::array<Part, 6> kParts = {{
    {"bin/ptxas", "nvidia-cuda-nvcc"},
    {"nvvm/bin/cicc", "nvidia-nvvm"},
    {"include/crt/host_config.h", "nvidia-cuda-crt"},
    {"include/cuda_runtime.h", "nvidia-cuda-runtime"},
    {"lib64/libcudart_static.a", "nvidia-cuda-runtime"},
    {"include/nv/target", "nvidia-cuda-cccl"},
}};

// Where the toolkit's parts come from.
struct Sources {
  fs::path compiler;
  std::vector<std::string> wheels;

  // The folders of this name, the compiler's own first: its files fit it.
  std::vector<fs::path> Folders(const char* name) const {
    std::vector<fs::path> found;
    for (const std::string& folder : wheels)
      for (const auto& entry : fs::directory_iterator(folder))
        if (fs::is_directory(entry.path() / name))
          found.push_back(entry.path() / name);
    std::sort(found.begin(), found.end());
    std::stable_partition(
        found.begin(), found.end(),
        [&](const fs::path& path) { return path.parent_path() == compiler; });
    return found;
  }
};

// A jail reads it as another user, whatever our umask says.
void MakeFolder(const fs::path& path) {
  fs::create_directory(path);
  fs::permissions(path, fs::perms(0755));
}

// Symlinks in `to` for what stands in `from`. A folder that several of them
// have becomes a folder of symlinks itself; of files the first wins.
void Merge(const fs::path& to, const std::vector<fs::path>& from) {
  std::map<fs::path, std::vector<fs::path>> places;
  for (const fs::path& folder : from)
    for (const auto& entry : fs::directory_iterator(folder))
      places[entry.path().filename()].push_back(entry.path());
  MakeFolder(to);
  for (auto& [name, sources] : places) {
    const bool folders = std::all_of(
        sources.begin(), sources.end(),
        [](const fs::path& path) { return fs::is_directory(path); });
    if (folders && sources.size() > 1)
      Merge(to / name, sources);
    else
      fs::create_symlink(sources.front(), to / name);
  }
}

// libcudart.so beside libcudart.so.13, for -lcudart.
void AddPlainNames(const fs::path& libraries) {
  std::vector<fs::path> versioned;
  for (const auto& entry : fs::directory_iterator(libraries))
    if (entry.path().filename().string().find(".so.") != std::string::npos)
      versioned.push_back(entry.path());
  for (const fs::path& library : versioned) {
    const std::string name = library.filename().string();
    const fs::path plain = libraries / name.substr(0, name.find(".so.") + 3);
    if (!fs::exists(fs::symlink_status(plain))) fs::create_symlink(name, plain);
  }
}

void Build(const fs::path& home, const Sources& sources) {
  fs::create_symlink(sources.compiler / "bin", home / "bin");
  fs::create_symlink(sources.compiler / "nvvm", home / "nvvm");
  Merge(home / "include", sources.Folders("include"));
  Merge(home / "lib64", sources.Folders("lib"));
  AddPlainNames(home / "lib64");
  fs::create_symlink("lib64", home / "lib");
}

// Changes when a wheel is installed, removed or replaced.
std::string Key(const Sources& sources) {
  base::KeyBuilder key;
  key.Add(KB_VERSION).Add(sources.compiler.string());
  for (const char* name : {"include", "lib", "nvvm"}) {
    for (const fs::path& folder : sources.Folders(name)) {
      const auto changed = fs::last_write_time(folder).time_since_epoch();
      key.Add(folder.string()).Add(std::to_string(changed.count()));
    }
  }
  return key.Finish().substr(0, 32);
}

Result<void> CheckParts(const fs::path& home, const fs::path& compiler) {
  for (const Part& part : kParts) {
    // CUDA 13 has the C++ library one folder deeper, where nvcc looks itself.
    const bool there = fs::exists(home / part.file) ||
                       (part.file == std::string_view("include/nv/target") &&
                        fs::exists(home / "include/cccl/nv/target"));
    if (!there)
      return Fail("{} lacks {}: install the wheel {} of the same version",
                  compiler.string(), part.file, part.wheel);
  }
  return Ok();
}

Result<std::string> Make(const Sources& sources) {
  KB_ASSIGN(const fs::path folder, os::CacheDirectory("cuda-home"));
  const fs::path home = folder / Key(sources);
  if (!fs::is_directory(home)) {
    const fs::path beside =
        folder / (home.filename().string() + "." + std::to_string(::getpid()));
    fs::remove_all(beside);
    MakeFolder(beside);
    Build(beside, sources);
    std::error_code error;
    fs::rename(beside, home, error);
    // Somebody else was quicker.
    if (error) fs::remove_all(beside);
    if (error && !fs::is_directory(home))
      return Fail("cannot make {}: {}", home.string(), error.message());
  }
  KB_TRY(CheckParts(home, sources.compiler));
  return home.string();
}

}  // namespace

Result<std::string> MakeCudaHome(const std::string& compiler,
                                 const std::vector<std::string>& wheels) {
  try {
    return Make({compiler, wheels});
  } catch (const fs::filesystem_error& error) {
    return Fail("laying out the nvcc wheels: {}", error.what());
  }
}

}  // namespace kb::compile
