// ninja [-v] [-j N]
// Builds the extension of PyTorch that the file build.ninja in the current
// folder describes. Runs in the jail of a candidate's build. With
// KB_WHOLE_HEADERS in the environment, compilers read all of PyTorch's headers.
#include <cstdlib>
#include <string>
#include <vector>

#include "builder/builder.h"

int main(int argc, char** argv) {
  return kb::builder::Build({argv + 1, argv + argc},
                            std::getenv("KB_WHOLE_HEADERS") != nullptr);
}
