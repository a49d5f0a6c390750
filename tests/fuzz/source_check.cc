// Candidates' sources, which are read as text before anything runs.

#include <algorithm>
#include <string>

#include "input.h"
#include "record/policy.h"
#include "source_check/classify.h"
#include "source_check/source_text.h"
#include "source_check/static_check.h"

namespace {

using kb::fuzz::Require;
namespace source_check = kb::source_check;

void Look(const std::string& source, source_check::Language language) {
  Require(source_check::KindsOf(source, language).size() == source.size(),
          "every byte has a kind");
  for (const std::string& text :
       {source_check::WithoutComments(source, language),
        source_check::CodeOnly(source, language)}) {
    Require(text.size() == source.size(), "places stay as they were");
    Require(std::ranges::count(text, '\n') == std::ranges::count(source, '\n'),
            "lines stay as they were");
    for (const auto& token : source_check::Tokenize(text))
      Require(!token.text.empty() && token.line >= 1, "a token is somewhere");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string source(kb::fuzz::Text(data, size));
  Look(source, source_check::Language::kPython);
  Look(source, source_check::Language::kCpp);
  const auto lines = 1 + std::ranges::count(source, '\n');
  for (const char* name : {"a.py", "a.cu", "a.cpp"}) {
    const auto candidate = source_check::Classify(name, source);
    if (!candidate) continue;
    for (const char* policy : {"kernelbench", "own-kernels"})
      for (const auto& finding :
           source_check::Check(*candidate, *kb::record::NamedPolicy(policy)))
        Require(finding.line >= 0 && finding.line <= lines,
                "a finding is in the source");
  }
  return 0;
}
