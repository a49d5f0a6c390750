// Says of names which ones headers may declare (src/builder/declared_names.h).
//
//     may_declare SOURCE FOLDER... < NAMES
//
// SOURCE includes headers of the folders. Prints "macro NAME", "global NAME" or
// "inside NAME", or "word NAME" where a header with that word is not
// understood.

#include <fmt/format.h>

#include <cstdio>
#include <iostream>
#include <string>

#include "declared_names.h"
#include "reached_headers.h"
#include "sources.h"

namespace {

using kb::builder::Names;

void Print(const char* kind, const Names& names) {
  for (const std::string& name : names) fmt::print("{} {}\n", kind, name);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    fmt::print(stderr, "usage: may_declare SOURCE FOLDER... < NAMES\n");
    return 2;
  }
  kb::builder::Sources sources;
  sources.files = {argv[1]};
  sources.header_folders.assign(argv + 2, argv + argc);
  Names names;
  for (std::string name; std::cin >> name;) names.insert(name);
  const auto see = [&](const std::string&, const std::string& text) {
    if (const auto found = kb::builder::MayDeclare(text, names)) {
      Print("macro", found->macros);
      Print("global", found->global);
      Print("inside", found->inside);
    } else {
      Names words = kb::builder::Identifiers(text);
      std::erase_if(words, [&](const auto& w) { return !names.contains(w); });
      Print("word", words);
    }
    return true;
  };
  return kb::builder::SeeReachedHeaders(sources, see) ? 0 : 1;
}
