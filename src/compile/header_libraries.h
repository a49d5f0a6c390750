#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "compile/toolchain.h"

namespace kb::compile {

// Headers that published candidates expect beside CUDA's own: CUTLASS with
// CuTe, and ThunderKittens. And folders that the user names.

// What there is, in the order of the command line: `places.includes`, the
// folders of KB_INCLUDE, then the libraries, each looked for where its
// variables say (CUTLASS_PATH, THUNDERKITTENS_ROOT, ...), in
// `places.library_roots`, and as a wheel in `site_packages`. An Error names a
// folder that the user named and that is none, or that no jail may see.
base::Result<std::vector<HeaderLibrary>> FindHeaderLibraries(
    const SearchPlaces& places, const std::string& site_packages);

// What a source needs of them.
struct HeaderUse {
  std::vector<std::string> folders;   // to look for headers in, in this order
  std::vector<std::string> flags;     // for nvcc
  std::vector<jail::Bind> binds;      // what a jail must show
  std::vector<std::string> contents;  // names, sizes and times of all headers
  // CUTLASS_PATH and the like, for Python that looks for them itself.
  std::map<std::string, std::string> env;
  bool cxx20 = false;  // they need C++20
};
// `arch` is nvcc's ("90a").
HeaderUse HeadersFor(const std::string& source,
                     const std::vector<HeaderLibrary>& found,
                     const std::string& arch);

// What to do when a compiler's log says that a header of such a library was not
// found; "" for any other log.
std::string AdviceOnHeaders(const std::string& log);

}  // namespace kb::compile
