// ninja [-v] [-j N]
// Builds the extension of PyTorch that the file build.ninja in the current
// folder describes. Runs in the jail of a candidate's build. With
// KB_WHOLE_HEADERS in the environment, compilers read all of PyTorch's headers;
// KB_BINDINGS names the object, or objects, of share/bindings.
#include <cstdlib>
#include <string>
#include <vector>

#include "builder/builder.h"

int main(int argc, char** argv) {
  const char* const bindings = std::getenv("KB_BINDINGS");
  return kb::builder::Build(
      {argv + 1, argv + argc},
      {.whole_headers = std::getenv("KB_WHOLE_HEADERS") != nullptr,
       .bindings = bindings != nullptr ? bindings : ""});
}
