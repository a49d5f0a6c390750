#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "problems/expectation.h"

namespace kb::corpus {

// A candidate whose verdict is known, in a folder of such: samples, attempts to
// cheat, honest kernels that look like one.
struct Program {
  std::string path;    // on disk
  std::string name;    // below the folder: "caching/by_pointer.py"
  std::string family;  // "caching"; empty at the top
  std::string source;  // one file: the headers beside it are in it
  problems::Expectation expectation;
};

// Those below `folder` whose name contains `filter`, sorted. An error when a
// header is wrong. Of hostile ones those that name no
// twin are twins themselves.
base::Result<std::vector<Program>> Load(const std::string& folder,
                                        const std::string& filter);

// The one called `name` below `folder`; an error when it is not there.
base::Result<Program> LoadFile(const std::string& folder,
                               const std::string& name);

// Where the twin lies that `program` names.
std::string TwinPath(const Program& program);
base::Result<Program> LoadTwin(const Program& program,
                               const std::string& folder);

// Writes the sources below `folder`, and manifest.json with what is expected of
// each, so that any evaluator can be tried with them. `groups`: "hostile",
// "legitimate".
struct Group {
  std::string name;
  std::vector<Program> programs;
  std::vector<Program> twins;
};
base::Result<void> Export(const std::vector<Group>& groups,
                          const std::string& folder);

}  // namespace kb::corpus
