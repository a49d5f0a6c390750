#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "jail/jail.h"

namespace kb::compile {

// A tool of the machine, or why there is none and what to do about it.
template <typename T>
struct Found {
  std::optional<T> tool;
  std::string reason;  // empty when `tool` is there
};

struct CudaDevice {
  // "cuda:0", as PyTorch calls it.
  std::string TorchName() const;

  int64_t index = 0;
  std::string name;        // "NVIDIA H200"
  std::string capability;  // "9.0"
  uint64_t total_bytes = 0;
  std::string uuid;  // "GPU-8a05...", as CUDA_VISIBLE_DEVICES takes it; or ""
};

// A Python >= 3.10 that imports torch >= 2.4.
struct Python {
  // The interpreter as a jail must start it: its folder's symlinks resolved,
  // its own not, because that is how Python recognises a virtual environment.
  std::string path;
  std::string version;        // "3.11.7"
  std::string torch_version;  // "2.15.0+cu132"
  std::string torch_cuda;     // "13.2"; "" when torch has no CUDA
  bool has_triton = false;
  bool has_numpy = false;
  std::string fla_version;    // of flash-linear-attention; "" without it
  std::string site_packages;  // where torch lies, resolved
  // What a jail must show, read-only: the interpreter's prefixes, torch and
  // the folders that .pth files add. Sources are resolved; a target differs
  // where somebody refers to the folder through a symlink.
  std::vector<jail::Bind> prefixes;
  std::vector<std::string> nvrtc_dirs;    // hold libnvrtc.so.*
  std::string cupti;                      // libcupti.so.*; "": none found
  std::vector<std::string> library_dirs;  // of all nvidia-* wheels
  std::vector<std::string> include_dirs;  // of all nvidia-* wheels
  std::vector<CudaDevice> cuda_devices;   // that this process may use
  std::string driver;                     // "580.159.04", "" without one
};

struct Nvcc {
  std::string path;  // the nvcc program
  // A folder as torch's CUDA_HOME wants it: bin, include, lib64. For the
  // wheels this is a folder of symlinks in our cache, never the user's venv.
  std::string cuda_home;
  std::string version;  // "13.2.86"
  bool is_wheel = false;
  std::vector<std::string> library_dirs;  // for -L and the run path
  std::vector<jail::Bind> prefixes;       // what a jail must show, read-only
};

struct Gxx {
  std::string path;
  std::string version;  // "12.2.0"
  std::vector<jail::Bind> prefixes;
};

// Nsight Compute's program, which counts what kernels do.
struct Ncu {
  std::string path;
  std::string version;  // "2025.3.1.0"
};

// Headers beside the toolkit's own, for those candidates that include them.
struct HeaderLibrary {
  std::string name;    // "CUTLASS"; "" for a folder that the user named
  std::string folder;  // the library's own
  std::vector<std::string> includes;  // where the compiler is to look
  std::vector<jail::Bind> prefixes;   // what a jail must show, read-only
};

struct Toolchain {
  Found<Python> python;
  Found<Nvcc> nvcc;
  Found<Gxx> gxx;
  Found<Ncu> ncu;
  // Why the driver lets only administrators count; empty: it lets everybody, or
  // there is no driver.
  std::string no_counters;
  std::vector<HeaderLibrary> headers;
};

// Where to look. A test fills it by hand; users get what FindToolchain() takes.
struct SearchPlaces {
  // KB_PYTHON, KB_NVCC, KB_CXX and KB_NCU name a tool and are then the only
  // choice; PATH is searched otherwise, HOME is never shown to a jail as a
  // whole.
  std::map<std::string, std::string> env;
  // Has hosts/probe.py. A .venv in it or any folder above is Python's second
  // choice, before PATH.
  std::string install_root;
  std::string cuda_folder = "/usr/local/cuda";  // nvcc's third choice
  // Folders of headers for every candidate, before those of KB_INCLUDE.
  std::vector<std::string> includes;
  // Where CUTLASS and ThunderKittens may lie as `cutlass`, `ThunderKittens`.
  std::vector<std::string> library_roots = {"/usr/local", "/opt"};
  std::string driver_parameters = "/proc/driver/nvidia/params";
};

// Looks for Python, nvcc (KB_NVCC, PATH, /usr/local/cuda, the nvidia-cuda-nvcc
// wheels beside torch or in a .toolkit beside the .venv) and g++ (KB_CXX,
// PATH), ncu (KB_NCU, PATH, /usr/local/cuda) and headers of CUTLASS and
// ThunderKittens. Fails when we cannot look, and when a folder of `includes` is
// none; a missing tool is a reason in the Toolchain. Takes a few milliseconds
// when the answer about Python is cached, else the time of an import of torch.
base::Result<Toolchain> FindToolchain(
    const std::vector<std::string>& includes = {});
base::Result<Toolchain> FindToolchain(const SearchPlaces& places);

}  // namespace kb::compile
