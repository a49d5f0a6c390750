#pragma once

#include <string>
#include <vector>

namespace kb::compile {

// A header, named as #include names it: "ATen/ATen.h".
struct Header {
  std::string name;
  std::string text;
};

// Stand-ins for the widest headers of PyTorch's C++ interface, for a compiler
// that looks for them before PyTorch's own: they include what holds a tensor,
// and of the operators only those that `source` names after "::". A kernel of
// forty lines then compiles in a third of the time.
//
// What compiles with them means the same with the whole headers, of which they
// include parts; what does not compile may yet do so with the whole ones.
// None where the source asks for something that is only in those, or where its
// own #if could see the difference.
//
// `torch_include`: the folder of PyTorch's headers, which has ATen/ops.
std::vector<Header> SlimHeaders(const std::string& source,
                                const std::string& torch_include);

}  // namespace kb::compile
