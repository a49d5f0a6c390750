#include "os/colour.h"

#include <unistd.h>

#include <cstdlib>
#include <string_view>

namespace kb::os {

bool HasColour(int fd) {
  const char* none = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  if (none != nullptr && *none != '\0') return false;
  if (terminal != nullptr && std::string_view(terminal) == "dumb") return false;
  return ::isatty(fd) == 1;
}

}  // namespace kb::os
