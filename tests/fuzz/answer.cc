// What models answer.

#include "input.h"
#include "prompt/extract.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using kb::fuzz::Require;
  using kb::record::GenerationStatus;
  const auto answer = kb::fuzz::Text(data, size);
  for (const auto finish : {kb::llm::Finish::kStop, kb::llm::Finish::kLength}) {
    const auto found = kb::prompt::ExtractCode(answer, finish);
    if (found.status == GenerationStatus::kComplete) {
      Require(!found.source.empty(), "a complete answer has a source");
      Require(found.source.size() <= answer.size() + 1,
              "a source is no longer than its answer");
      Require(found.file_name.starts_with("answer."), "a source has a name");
    } else {
      Require(!found.reason.empty(), "an answer without code says why");
      Require(found.reason.find('\n') == std::string::npos,
              "a reason is one line");
    }
  }
  return 0;
}
