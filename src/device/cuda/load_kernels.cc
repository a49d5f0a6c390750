#include "cuda/load_kernels.h"

#include <algorithm>

#include "base/check.h"

namespace kb::device::cuda {

namespace {

const KernelSource& SourceNamed(const std::string& name) {
  const auto& all = KernelSources();
  const auto found = std::find_if(
      all.begin(), all.end(),
      [&](const KernelSource& source) { return source.name == name; });
  KB_CHECK(found != all.end());
  return *found;
}

}  // namespace

base::Result<Module> LoadKernels(const ContextPtr& context,
                                 const CubinCache& cache,
                                 const std::string& name) {
  const KernelSource& source = SourceNamed(name);
  KB_ASSIGN(const std::string arch, context->Arch());
  if (const auto cached = cache.Find(source, arch)) {
    auto loaded = Module::Load(context, cached->data());
    if (loaded) return loaded;
  }
  KB_ASSIGN(const std::string cubin, cache.Compile(source, arch));
  auto loaded = Module::Load(context, cubin.data());
  if (loaded) return loaded;
  return base::Propagate(loaded.error().Wrap(
      fmt::format("loading {} that NVRTC compiled for {} (is the driver older "
                  "than NVRTC?)",
                  name, arch)));
}

}  // namespace kb::device::cuda
