#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace kb::provenance {

// The names of the kernels in a cubin, an ELF file whose sections
// ".text.NAME" hold one each. None of what is no such file.
std::vector<std::string> KernelsOf(std::string_view cubin);

}  // namespace kb::provenance
