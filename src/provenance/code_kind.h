#pragma once

#include <optional>
#include <string_view>

#include "record/provenance.h"

namespace kb::provenance {

// What an object that is loaded into a process is.
enum class CodeKind {
  kOwn,          // nobody's else: the candidate's
  kTriton,       // Triton's launchers, in its cache
  kGenerated,    // torch.compile's, in its cache
  kLibrary,      // installed: cuBLAS, oneDNN, NumPy, ...
  kFramework,    // PyTorch's operators
  kCore,         // PyTorch's memory and devices: libc10
  kBindings,     // PyTorch's for Python
  kInterpreter,  // Python, and what calls C by hand for it
  kDriver,       // CUDA's driver, runtime and tools
  kRuntime,      // libc, libm, OpenMP: who called them counts
  kOurs,         // known by its address, not by its name
};

// By the path that it was loaded from; "" is the program itself, Python. What
// lies where a jail has the candidate's files is the candidate's.
CodeKind KindOfObject(std::string_view path);

// Whose time it is that a processor spends in it; nothing: its caller's.
std::optional<record::Origin> OriginOnCpu(CodeKind kind);

// Whose a kernel is that it launches; nothing: its caller's. What Python
// launches by hand is the candidate's.
std::optional<record::Origin> OriginOfLaunch(CodeKind kind);

// A name that torch.compile gives to its kernels.
bool IsGeneratedName(std::string_view kernel);

}  // namespace kb::provenance
