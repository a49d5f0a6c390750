// What compilers print, which a candidate's source decides.

#include "diagnostics.h"

#include "header_libraries.h"
#include "input.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  constexpr size_t kMost = 8 << 10;
  const std::string said =
      kb::compile::TrimDiagnostics(kb::fuzz::Text(data, size));
  kb::fuzz::Require(said.size() <= kMost, "diagnostics have at most 8 KiB");
  kb::compile::AdviceOnHeaders(said);
  return 0;
}
