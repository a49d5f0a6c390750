// Other people's problems: tables, sources, and the headers of samples.

#include "problems/pack.h"

#include <unistd.h>

#include "input.h"
#include "os/files.h"
#include "problems/costs.h"
#include "problems/expectation.h"
#include "problems/overrides.h"

namespace {

void OpenAs(const char* ending, const std::string& text) {
  static const auto folder = kb::os::TempDir::Create("kb-fuzz");
  kb::fuzz::Require(folder.has_value(), "there is a temporary folder");
  const std::string path = folder->path() + "/problems" + ending;
  if (!kb::os::WriteFileAtomically(path, text)) return;
  const auto pack = kb::problems::Pack::Open(path);
  if (!pack) return;
  for (const auto& entry : pack->List())
    kb::fuzz::Require(pack->Find(entry.id).has_value(),
                      "what is listed can be found");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  namespace problems = kb::problems;
  const std::string text(kb::fuzz::Text(data, size));
  OpenAs(".jsonl", text);
  OpenAs(".py", text);
  std::ignore = problems::CostsFromText(text);
  std::ignore = problems::ParseExpectation("a.py", text);
  std::ignore = problems::IntegerConstant(text, "N");
  problems::Overrides values;
  values["N"].data = int64_t{7};
  const auto changed = problems::ApplyOverrides(text, values);
  if (changed && problems::IntegerConstant(text, "N"))
    kb::fuzz::Require(problems::IntegerConstant(*changed, "N") == 7,
                      "what was written is there");
  return 0;
}
