#include "cuda/nvrtc.h"

#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <utility>
#include <vector>

#include "base/text.h"
#include "cuda/driver_api.h"

namespace kb::device::cuda {

namespace {

struct ProgramTag;
using Program = ProgramTag*;

// Contraction would make results differ from the cpu device's.
constexpr std::array kOptions = {"--std=c++17", "--fmad=false"};
constexpr std::array kSonames = {"libnvrtc.so.13", "libnvrtc.so.12"};

// A function of NVRTC; its status needs its own texts, hence no Entry.
template <typename Signature>
class Symbol {
 public:
  Symbol(Library* library, const char* name)
      : address_(reinterpret_cast<Signature*>(library->Find(name))) {}
  template <typename... Args>
  auto operator()(Args... args) const {
    return address_(args...);
  }

 private:
  Signature* address_;
};

// The libraries of a name in a folder, newest first.
std::vector<std::string> LibrariesIn(const std::string& folder,
                                     const char* name) {
  std::vector<std::string> found;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error))
    if (entry.path().filename().string().starts_with(name))
      found.push_back(entry.path().string());
  std::sort(found.rbegin(), found.rend());
  return found;
}

// A handle, or null with `*why` extended.
void* TryOpen(const std::string& file, int flags, std::string* why) {
  void* handle = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL | flags);
  if (handle == nullptr && (flags & RTLD_NOLOAD) == 0)
    *why += fmt::format("\n  {}", dlerror());
  return handle;
}

base::Result<void*> OpenLibrary() {
  std::string why;
  if (const char* named = std::getenv("KB_NVRTC"); named && *named != 0) {
    if (void* handle = TryOpen(named, 0, &why)) return handle;
    return base::Fail("KB_NVRTC names no usable library:{}", why);
  }
  for (const char* name : kSonames)
    if (void* handle = TryOpen(name, RTLD_NOLOAD, &why)) return handle;
  const char* folders = std::getenv("KB_NVRTC_DIRS");
  for (const auto& folder : base::Split(folders ? folders : "", ':')) {
    // NVRTC 13.0 does not look for it beside itself.
    for (const auto& file : LibrariesIn(folder, "libnvrtc-builtins.so."))
      (void)TryOpen(file, 0, &why);
    for (const auto& file : LibrariesIn(folder, "libnvrtc.so."))
      if (void* handle = TryOpen(file, 0, &why)) return handle;
  }
  for (const char* name : kSonames)
    if (void* handle = TryOpen(name, 0, &why)) return handle;
  return base::Fail(
      "no NVRTC, which compiles our CUDA kernels. It comes with a CUDA build "
      "of torch (package nvidia-cuda-nvrtc); KB_NVRTC may name the file. "
      "Tried:{}",
      why);
}

}  // namespace

struct Nvrtc::Functions {
  explicit Functions(void* handle) : library(handle) {}
  Library library;
  Library* lib = &library;
  Symbol<int(int*, int*)> version{lib, "nvrtcVersion"};
  Symbol<const char*(int)> error_string{lib, "nvrtcGetErrorString"};
  Symbol<int(Program*, const char*, const char*, int, const char* const*,
             const char* const*)>
      create{lib, "nvrtcCreateProgram"};
  Symbol<int(Program*)> destroy{lib, "nvrtcDestroyProgram"};
  Symbol<int(Program, int, const char* const*)> compile{lib,
                                                        "nvrtcCompileProgram"};
  Symbol<int(Program, size_t*)> cubin_size{lib, "nvrtcGetCUBINSize"};
  Symbol<int(Program, char*)> cubin{lib, "nvrtcGetCUBIN"};
  Symbol<int(Program, size_t*)> log_size{lib, "nvrtcGetProgramLogSize"};
  Symbol<int(Program, char*)> log{lib, "nvrtcGetProgramLog"};

  base::Result<void> Check(const char* call, int status) const {
    if (status == 0) return base::Ok();
    return base::Fail("{}: {}", call, error_string(status));
  }
};

std::string NvrtcOptions() {
  std::string all;
  for (const char* option : kOptions) all += fmt::format("{} ", option);
  return all;
}

base::Result<const Nvrtc*> Nvrtc::Open() {
  KB_ASSIGN(void* handle, OpenLibrary());
  static const Functions kFunctions(handle);
  if (!kFunctions.library.missing().empty())
    return base::Fail("libnvrtc is too old: it has no {}",
                      kFunctions.library.missing());
  int major = 0, minor = 0;
  KB_TRY(kFunctions.Check("nvrtcVersion", kFunctions.version(&major, &minor)));
  static const Nvrtc kNvrtc(&kFunctions, fmt::format("{}.{}", major, minor));
  return &kNvrtc;
}

base::Result<const Nvrtc*> Nvrtc::Get() {
  static const base::Result<const Nvrtc*> kNvrtc = Open();
  return kNvrtc;
}

namespace {

// Owner of an NVRTC program.
template <typename Functions>
class OwnedProgram {
 public:
  explicit OwnedProgram(const Functions* functions) : functions_(functions) {}
  OwnedProgram(const OwnedProgram&) = delete;
  OwnedProgram& operator=(const OwnedProgram&) = delete;
  ~OwnedProgram() {
    if (program_ != nullptr) functions_->destroy(&program_);
  }

  base::Result<void> Create(const KernelSource& source) {
    std::vector<const char*> texts, names;
    for (const auto& header : KernelHeaders()) {
      texts.push_back(header.text);
      names.push_back(header.name.c_str());
    }
    return functions_->Check(
        "nvrtcCreateProgram",
        functions_->create(&program_, source.text, source.name.c_str(),
                           static_cast<int>(texts.size()), texts.data(),
                           names.data()));
  }

  base::Result<void> Compile(const std::string& arch) {
    const std::string option = "--gpu-architecture=" + arch;
    std::vector<const char*> options(kOptions.begin(), kOptions.end());
    options.push_back(option.c_str());
    const int status = functions_->compile(
        program_, static_cast<int>(options.size()), options.data());
    if (status == 0) return base::Ok();
    return base::Fail("for {}: {}\n{}", arch, functions_->error_string(status),
                      Log());
  }

  base::Result<std::string> Cubin() {
    size_t size = 0;
    KB_TRY(functions_->Check("nvrtcGetCUBINSize",
                             functions_->cubin_size(program_, &size)));
    std::string cubin(size, 0);
    KB_TRY(functions_->Check("nvrtcGetCUBIN",
                             functions_->cubin(program_, cubin.data())));
    return cubin;
  }

 private:
  std::string Log() {
    size_t size = 0;
    if (functions_->log_size(program_, &size) != 0) return "";
    std::string log(size, 0);
    if (functions_->log(program_, log.data()) != 0) return "";
    return std::string(base::Trim(log.c_str()));
  }

  const Functions* functions_;
  Program program_ = nullptr;
};

}  // namespace

base::Result<std::string> Nvrtc::Compile(const KernelSource& source,
                                         const std::string& arch) const {
  OwnedProgram program(functions_);
  KB_TRY(program.Create(source));
  if (auto done = program.Compile(arch); !done)
    return base::Propagate(done.error().Wrap(
        fmt::format("NVRTC {} cannot compile {}", version_, source.name)));
  return program.Cubin();
}

}  // namespace kb::device::cuda
