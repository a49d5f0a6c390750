#include "cuda/module.h"

namespace kb::device::cuda {

base::Result<Module> Module::Load(ContextPtr context, const char* image) {
  CUmodule module = nullptr;
  KB_TRY(context->driver().module_load(&module, image));
  return Module(std::move(context), module);
}

Module::~Module() {
  if (context_) context_->driver().module_unload.Status(module_);
}

base::Result<CUfunction> Module::Find(const std::string& kernel) {
  const auto known = found_.find(kernel);
  if (known != found_.end()) return known->second;
  CUfunction function = nullptr;
  const auto got =
      context_->driver().module_function(&function, module_, kernel.c_str());
  if (!got) return base::Propagate(got.error().Wrap("kernel " + kernel));
  found_[kernel] = function;
  return function;
}

base::Result<void> Module::Enqueue(const std::string& kernel, const Grid& grid,
                                   void** addresses) {
  KB_ASSIGN(const CUfunction function, Find(kernel));
  const auto launched = context_->driver().launch_kernel(
      function, grid.blocks, 1, 1, grid.threads, 1, 1, 0, grid.stream,
      addresses, nullptr);
  if (!launched)
    return base::Propagate(launched.error().Wrap("kernel " + kernel));
  return base::Ok();
}

}  // namespace kb::device::cuda
