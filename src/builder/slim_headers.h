#pragma once

#include <string>
#include <vector>

namespace kb::builder {

// A header, named as #include names it: "ATen/ATen.h".
struct Header {
  std::string name;
  std::string text;
};

// Stand-ins for the widest headers of PyTorch's C++ interface, and of what
// these include, for a compiler that looks for them before the real ones. They
// have what holds a tensor; of the operators those that `source` names after
// "::", of a tensor's methods those whose name is in it; and of cuBLAS, Thrust
// and the like as much as PyTorch's headers need, unless it names them. A
// kernel of forty lines then compiles in a tenth of the time.
//
// What compiles with them means the same with the whole headers, of which they
// include parts; what does not compile may yet do so with the whole ones.
// None where the source asks for something that is only in those, or where its
// own #if could see the difference.
//
// `torch_include`: the folder of PyTorch's headers, which has ATen/ops.
std::vector<Header> SlimHeaders(const std::string& source,
                                const std::string& torch_include);

// Whether the source asks for something that is only in the whole headers, or
// its own #if could see which ones it has.
bool AsksForWhole(const std::string& source);

}  // namespace kb::builder
