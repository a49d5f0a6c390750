#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "code_kind.h"

namespace kb::provenance {

// The code that is loaded into this process, as it is when this is made.
class Objects {
 public:
  struct Object {
    std::string path;
    CodeKind kind = CodeKind::kOwn;
    uintptr_t base = 0;  // what an address is more than its file counts
  };

  static Objects Loaded();

  // What the address lies in; null: no object, so code that was generated into
  // memory. Calls nothing, so that a signal handler may ask.
  const Object* Of(uintptr_t address) const;

  // How many objects were ever loaded into this process.
  static uint64_t LoadedEver();

 private:
  struct Range {
    uintptr_t begin = 0;
    uintptr_t end = 0;
    size_t object = 0;
  };
  std::vector<Object> objects_;
  std::vector<Range> ranges_;  // executable, sorted
};

}  // namespace kb::provenance
