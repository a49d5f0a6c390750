#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "problems/costs.h"
#include "problems/overrides.h"
#include "record/problem.h"

namespace kb::problems {

// What is known of a problem without loading it.
struct Entry {
  std::string id;    // "level1/23"; the file's name without .py when a single
                     // file was opened
  std::string name;  // "Softmax"
  std::string path;
  int line = 0;           // in a table; 0: the file is the problem
  std::string reference;  // see record::Problem
  bool has_small = false;
  std::vector<record::Size> sizes;  // that its notes name, besides these two
  bool has_fla = false;             // see record::Problem
  // Constants that hidden sizes change; see record::Problem.
  std::vector<std::string> hidden;
  std::string scale;  // constant that a memory budget lowers; empty: none
  std::vector<record::Precision> precisions;           // that work; empty: all
  record::Precision given = record::Precision::kFp32;  // see record::Problem
  bool inputs_as_given = false;                        // see record::Problem
  std::vector<record::ToleranceNote> tolerances;
  std::vector<std::string> tags;
  std::vector<record::Flag> flags;
  record::Floor floor;  // see record::Problem
};

// All that --size can say of it: "full", "small", "wide".
std::vector<std::string> SizeNamesOf(const Entry& entry);

// What `size` comes to where it is several: all but the small one, the full one
// first, or those of the list.
std::vector<record::Size> SizesOf(const Entry& entry, const record::Size& size);

// Of a conversation with a model about one problem.
struct Limits {
  int64_t turns = 0;
  double seconds = 0;
  bool operator==(const Limits&) const = default;
};

// A named part of a pack (selections.toml), and how it is run where the command
// line does not say: empty is as everything else.
struct Selection {
  std::string about;
  std::string policy;                    // of record::NamedPolicy
  std::vector<std::string> baselines;    // of record::BaselineMode, on a GPU
  std::map<std::string, Limits> limits;  // by level
  std::vector<std::string> levels;       // with all their problems
  std::vector<std::string> problems;     // ids
  std::vector<std::string> without;      // ids that are left out
};

// Why a problem, or what is said of it, cannot be used.
struct Issue {
  std::string path;
  int line = 0;  // 0: the file as a whole
  std::string message;
  std::string id;  // the problem that is unusable; empty: only a note is

  // What is wrong in a problem's source at `line` of it (0: as a whole). In a
  // table the row says where, and the line goes into the message. `row` 0: the
  // file is the problem.
  static Issue InSource(const std::string& path, int row, int line,
                        const std::string& message, const std::string& id);
  std::string Place() const;     // "path:3"
  std::string ToString() const;  // "path:3: message"
};

// A folder of problems as the original lays it out (level1/1_Name.py, also
// below other folders: v3/level1/1_Name.py), a table of problems (.jsonl or
// .parquet, or a folder of these), or one .py file. Beside the files of a level
// a problems.toml may say more about them, and at the top a selections.toml and
// a costs.json. Python is read as text, never run. All files are read when the
// pack is opened.
class Pack {
 public:
  // The rows of a Parquet file as JSON objects, one a line.
  using ParquetReader =
      std::function<base::Result<std::string>(const std::string& path)>;

  // A broken problem or note becomes an Issue and stops nothing else; an Error
  // means that nothing in `path` can be used.
  // Without `parquet` such files cannot be read.
  static base::Result<Pack> Open(const std::string& path,
                                 const ParquetReader& parquet = {});
  // The problems that come with kernelbench.
  static base::Result<Pack> OpenDefault();

  const std::vector<Entry>& List() const { return entries_; }  // sorted
  const std::vector<Issue>& Issues() const { return issues_; }
  // A problem that was read and cannot be used.
  struct BrokenProblem {
    std::string path;
    int row = 0;  // of a table; 0: the file is the problem
    std::string source;
  };
  const std::map<std::string, BrokenProblem>& Broken() const {
    return broken_;  // by id
  }
  const std::map<std::string, Selection>& Selections() const {
    return selections_;
  }

  // An Error says which selections there are.
  base::Result<Selection> FindSelection(const std::string& name) const;
  // What selections say of conversations about this problem, by their name.
  std::map<std::string, Limits> LimitsOf(const std::string& id) const;

  // The problems of the selection, in the order of List().
  base::Result<std::vector<Entry>> Select(const std::string& selection) const;

  // `id`: level1/23, 1/23, v3/1/23, or the file's name with or without its
  // level (level1/23_Softmax). An Error says which ids come close.
  base::Result<Entry> Find(const std::string& id) const;
  // With the constants of the size written into the source. kFitted: the
  // largest that can be judged in `fit_bytes` of device memory: the full size,
  // that with its `scale` lowered, or the small one.
  base::Result<record::Problem> Load(const std::string& id,
                                     const record::Size& size,
                                     uint64_t fit_bytes = 0) const;

  // A problem without a small size is then loaded at its full one where the
  // small one is asked for.
  void AllowFullForSmall() { full_for_small_ = true; }

  // None: nobody has measured it.
  std::optional<record::Cost> CostOf(const std::string& id,
                                     const record::Size& size) const;

 private:
  struct Body {
    std::string source;
    std::string fla;                          // see record::Problem
    std::map<record::Size, Overrides> sizes;  // all but the full one
  };
  friend class PackReader;

  base::Result<record::Problem> Sized(const Entry& entry,
                                      const record::Size& size,
                                      uint64_t fit_bytes) const;
  base::Result<record::Problem> AtSize(const Entry& entry,
                                       const record::Size& size) const;
  base::Result<record::Problem> Fitted(const Entry& entry,
                                       uint64_t fit_bytes) const;
  // With `part` of the `whole` that its scale is.
  base::Result<record::Problem> Scaled(const Entry& entry,
                                       const record::Cost& full, int64_t part,
                                       int64_t whole) const;

  bool full_for_small_ = false;
  std::string name_;  // as the user wrote it; empty: ours
  std::vector<Entry> entries_;
  std::vector<Issue> issues_;
  std::map<std::string, Body> bodies_;  // by id
  std::map<std::string, BrokenProblem> broken_;
  std::map<std::string, Selection> selections_;
  Costs costs_;
};

}  // namespace kb::problems
