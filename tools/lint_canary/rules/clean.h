// Fires nothing: what our own rules look like when they are kept.
#pragma once

#include <memory>
#include <string>

#include "base/result.h"

namespace kb::canary {

// A new thing, deleted by its owner.
class Owner {
 public:
  Owner() = default;
  Owner(const Owner&) = delete;
  Owner& operator=(const Owner&) = delete;
  ~Owner();

  static std::unique_ptr<Owner> Make() {
    return std::unique_ptr<Owner>(new Owner());
  }
  std::string message = "a new Owner; delete it";
  double c_name;  // NOLINT(readability-identifier-naming): as the C API has it
};

}  // namespace kb::canary
