#pragma once

#include <map>
#include <string>
#include <utility>

#include "base/result.h"
#include "cuda/primary_context.h"

namespace kb::device::cuda {

struct Grid {
  unsigned blocks = 1;
  unsigned threads = 1;       // of one block
  CUstream stream = nullptr;  // null: the default stream
};

// Device code loaded into a context; unloaded on destruction.
class Module {
 public:
  // `image`: a cubin, or PTX that ends in a NUL.
  static base::Result<Module> Load(ContextPtr context, const char* image);
  Module(Module&&) noexcept = default;
  Module(const Module&) = delete;
  Module& operator=(const Module&) = delete;
  Module& operator=(Module&&) = delete;
  ~Module();

  // Enqueues a kernel. `args` must have exactly the types that it declares.
  template <typename... Args>
  base::Result<void> Launch(const std::string& kernel, const Grid& grid,
                            Args... args) {
    // At least one element.
    void* addresses[] = {static_cast<void*>(&args)..., nullptr};
    return Enqueue(kernel, grid, addresses);
  }

 private:
  Module(ContextPtr context, CUmodule module)
      : context_(std::move(context)), module_(module) {}
  base::Result<void> Enqueue(const std::string& kernel, const Grid& grid,
                             void** addresses);
  base::Result<CUfunction> Find(const std::string& kernel);

  ContextPtr context_;  // null after a move
  CUmodule module_;
  std::map<std::string, CUfunction> found_;
};

}  // namespace kb::device::cuda
