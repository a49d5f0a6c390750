// The files of the original's runs.

#include "interop/original.h"

#include "input.h"
#include "interop/export_facts.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  namespace interop = kb::interop;
  const std::string text(kb::fuzz::Text(data, size));
  if (const auto results = interop::ParseEvalResults(text)) {
    std::vector<kb::record::Evaluation> evaluations;
    for (const auto& result : *results)
      evaluations.push_back(interop::FromOriginal(result, "level1", 1.0));
    std::ignore = interop::EvalResults(evaluations);
  }
  std::ignore = interop::ParseBaseline(text, "level1");
  std::ignore = interop::ParseExportFacts(text);
  std::ignore = interop::ProblemOfKernel(text);
  std::ignore = interop::NumberIn(text);
  return 0;
}
