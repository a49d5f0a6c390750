#pragma once

#include <string>

#include "base/result.h"

namespace kb::device::cuda {

constexpr int kSuccess = 0;  // CUDA_SUCCESS

// An opened shared library that remembers the first symbol it does not have.
// Never closed: code of it may run until the process ends.
class Library {
 public:
  explicit Library(void* handle) : handle_(handle) {}
  void* Find(const char* symbol);
  const std::string& missing() const { return missing_; }

 private:
  void* handle_;
  std::string missing_;
};

// "cuMemCreate: CUDA_ERROR_OUT_OF_MEMORY (out of memory)"
std::string DescribeFailure(const char* symbol, int status);

// One function of the driver. Callable; a failure names the function.
template <typename... Args>
class Entry {
 public:
  Entry(Library* library, const char* symbol)
      : symbol_(symbol),
        address_(reinterpret_cast<int (*)(Args...)>(library->Find(symbol))) {}

  base::Result<void> operator()(Args... args) const {
    const int status = address_(args...);
    if (status == kSuccess) return base::Ok();
    return base::Fail("{}", DescribeFailure(symbol_, status));
  }
  // The status itself, where a failure is expected.
  int Status(Args... args) const { return address_(args...); }

 private:
  const char* symbol_;
  int (*address_)(Args...);
};

}  // namespace kb::device::cuda
