#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "problems/overrides.h"
#include "problems/pack.h"
#include "record/problem.h"

namespace kb::problems {

// What problems.toml says of one problem.
struct Notes {
  std::vector<std::string> tags;
  std::vector<record::Flag> flags;
  std::vector<record::Precision> precisions;  // empty: all
  bool inputs_as_given = false;
  std::vector<record::ToleranceNote> tolerances;
  record::Floor floor;
  std::string scale;  // empty: none
  // Constants of hidden sizes; empty: none has a use. Absent: by rule.
  std::optional<std::vector<std::string>> hidden;
  std::string fla;  // a file, from the folder of the notes; empty: none
  struct Constants {
    Overrides values;
    int line = 0;
  };
  std::map<record::Size, Constants> sizes;  // the small and the named ones
  int line = 0;                             // of its heading
};

// The notes of a problems.toml by number ("23"). Whatever is wrong in it is
// added to `issues` with its line and left out of the result.
std::map<std::string, Notes> ReadNotes(const std::string& path,
                                       const std::string& text,
                                       std::vector<Issue>* issues);

}  // namespace kb::problems
