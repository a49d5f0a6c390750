#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "problems/overrides.h"
#include "record/problem.h"

namespace kb::problems {

// What is known of a problem without loading it.
struct Entry {
  std::string id;    // "level1/23"; the file's name without .py when a single
                     // file was opened
  std::string name;  // "Softmax"
  std::string path;
  bool has_small = false;
  std::vector<record::Precision> precisions;  // that work; empty: all
  bool inputs_as_given = false;               // see record::Problem
  std::vector<std::string> tags;
  std::vector<record::Flag> flags;
};

// Why a problem, or what is said of it, cannot be used.
struct Issue {
  std::string path;
  int line = 0;  // 0: the file as a whole
  std::string message;
  std::string id;  // the problem that is unusable; empty: only a note is
  std::string ToString() const;  // "path:3: message"
};

// A folder of problems as the original lays it out (level1/1_Name.py, also
// below other folders: v3/level1/1_Name.py), or one .py file. Beside the files
// of a level a problems.toml may say more about them. Python is read as text,
// never run. All files are read when the pack is opened.
class Pack {
 public:
  // A broken problem or note becomes an Issue and stops nothing else; an Error
  // means that nothing in `path` can be used.
  static base::Result<Pack> Open(const std::string& path);
  // The problems that come with kernelbench.
  static base::Result<Pack> OpenDefault();

  const std::vector<Entry>& List() const { return entries_; }  // sorted
  const std::vector<Issue>& Issues() const { return issues_; }

  // `id`: level1/23, 1/23, or the file's name with or without its level
  // (level1/23_Softmax). An Error says which ids come close.
  base::Result<Entry> Find(const std::string& id) const;
  // With the constants of the size written into the source.
  base::Result<record::Problem> Load(const std::string& id,
                                     record::Size size) const;

 private:
  struct Body {
    std::string source;
    Overrides small;
  };
  friend class PackReader;

  std::string name_;  // as the user wrote it; empty: ours
  std::vector<Entry> entries_;
  std::vector<Issue> issues_;
  std::map<std::string, Body> bodies_;  // by id
};

}  // namespace kb::problems
