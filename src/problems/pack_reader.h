#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "notes.h"
#include "problems/pack.h"

namespace kb::problems {

// Fills a Pack from the file system.
class PackReader {
 public:
  // `root`: the folder or file; `name`: how the user wrote it.
  PackReader(std::string root, std::string name, Pack::ParquetReader parquet);

  base::Result<Pack> Read();

 private:
  base::Result<void> ReadSingleFile();
  // `prefix`: the folder below the root, "v3/level1", as ids begin.
  void ReadFolder(const std::string& folder, const std::string& prefix,
                  int depth);
  void ReadLevel(const std::string& folder, const std::string& prefix,
                 const std::vector<std::string>& files);
  void ReadProblem(const std::string& path, const std::string& id,
                   const std::string& stem);
  base::Result<void> ReadRows(const std::string& path);
  // `row`: of a table; 0: the file is the problem.
  void AddProblem(const std::string& path, int row, const std::string& id,
                  const std::string& name, std::string source);
  void ReadSelectionsAndCosts();
  void AddNotes(const std::string& toml_path, const std::string& prefix,
                bool whole_level);
  void ApplyNotes(const std::string& toml_path, const Notes& notes,
                  Entry* entry);
  Entry* FindEntry(const std::string& id);
  void Complain(const std::string& path, int line, const std::string& message,
                const std::string& id);

  std::string root_;
  Pack::ParquetReader parquet_;
  Pack pack_;
  std::map<std::string, std::string> path_of_;  // by id, usable or not
};

// "12_Softmax" -> "12"; empty: the name does not begin with a number and an
// underscore.
std::string NumberOf(const std::string& stem);

}  // namespace kb::problems
