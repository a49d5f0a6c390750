#include "base/check.h"

#include <cstdio>
#include <cstdlib>

namespace kb::base {

void CheckFailed(const char* condition, const char* file, int line) {
  std::fprintf(stderr, "kernelbench: internal error: %s:%d: %s\n", file, line,
               condition);
  std::abort();
}

}  // namespace kb::base
