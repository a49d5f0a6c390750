#include "cuda/cubin_cache.h"

#include "base/hash.h"
#include "os/files.h"

namespace kb::device::cuda {

namespace {

// A file is the SHA-256 of the cubin in hexadecimal, then the cubin.
constexpr size_t kChecksumSize = 64;

}  // namespace

base::Result<std::string> CubinCache::PathOf(const KernelSource& source,
                                             const std::string& arch) const {
  base::KeyBuilder key;
  key.Add(source.name).Add(source.text);
  for (const auto& header : KernelHeaders())
    key.Add(header.name).Add(header.text);
  key.Add(NvrtcOptions()).Add(arch).Add(nvrtc_->version());
  KB_ASSIGN(std::string folder, os::CacheDirectory("kernels"));
  return fmt::format("{}/{}.cubin", folder, key.Finish());
}

std::optional<std::string> CubinCache::Find(const KernelSource& source,
                                            const std::string& arch) const {
  const auto path = PathOf(source, arch);
  if (!path) return std::nullopt;
  const auto file = os::ReadFile(*path);
  if (!file || file->size() < kChecksumSize) return std::nullopt;
  std::string cubin = file->substr(kChecksumSize);
  if (base::Sha256(cubin) != file->substr(0, kChecksumSize))
    return std::nullopt;
  return cubin;
}

base::Result<std::string> CubinCache::Compile(const KernelSource& source,
                                              const std::string& arch) const {
  KB_ASSIGN(std::string cubin, nvrtc_->Compile(source, arch));
  if (const auto path = PathOf(source, arch)) {
    const auto written =
        os::WriteFileAtomically(*path, base::Sha256(cubin) + cubin);
    // A full or read-only disk costs the next process some time, no more.
    static_cast<void>(written);
  }
  return cubin;
}

}  // namespace kb::device::cuda
