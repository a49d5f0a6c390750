#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace kb::provenance {

// The kernels in a cubin, an ELF file whose sections ".text.NAME" hold one
// each, with what a thread of each keeps on its stack, in bytes, with all that
// it calls: "cumulative stack size" of `ptxas -v`, 0 where the file does not
// say. None of what is no such file.
std::map<std::string, int64_t> KernelsOf(std::string_view cubin);

}  // namespace kb::provenance
