#include "reached_headers.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "base/text.h"
#include "os/files.h"
#include "source_check/source_text.h"

namespace kb::builder {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> FoldersIn(const fs::path& folder) {
  std::vector<fs::path> found;
  std::error_code error;
  for (fs::directory_iterator entries(folder, error);
       !error && entries != fs::directory_iterator(); entries.increment(error))
    if (entries->is_directory(error)) found.push_back(entries->path());
  std::ranges::sort(found);
  return found;
}

// Where g++ looks, of all versions and machines that are there.
std::vector<fs::path> FoldersOfCompilers() {
  std::vector<fs::path> folders{"/usr/local/include", "/usr/include"};
  const auto add_versions = [&](const fs::path& folder) {
    for (const fs::path& version : FoldersIn(folder)) {
      folders.push_back(version);
      folders.push_back(version / "backward");
    }
  };
  add_versions("/usr/include/c++");
  for (const fs::path& machine : FoldersIn("/usr/include")) {
    if (!machine.filename().string().ends_with("-linux-gnu")) continue;
    folders.push_back(machine);
    add_versions(machine / "c++");
  }
  for (const fs::path& machine : FoldersIn("/usr/lib/gcc"))
    for (const fs::path& version : FoldersIn(machine))
      folders.push_back(version / "include");
  return folders;
}

class Walk {
 public:
  explicit Walk(const Sources& sources)
      : folders_(sources.header_folders.begin(), sources.header_folders.end()) {
    for (const std::string& folder : sources.header_folders)
      folders_.push_back(fs::path(folder) / "cccl");  // nvcc's own -isystem
    for (fs::path& folder : FoldersOfCompilers())
      folders_.push_back(std::move(folder));
    std::erase_if(folders_, [](const fs::path& folder) {
      std::error_code ignored;
      return !fs::is_directory(folder, ignored);
    });
  }

  // Whether we know where compilers have their own.
  bool KnowsFolders() const {
    return std::ranges::all_of(std::vector<std::string>{"cmath", "stddef.h"},
                               [&](const std::string& name) {
                                 return std::ranges::any_of(
                                     folders_, [&](const fs::path& folder) {
                                       return IsFile(folder / name);
                                     });
                               });
  }

  // What nvcc includes by itself.
  void StartFromCuda() { AddOfFolders("cuda_runtime.h"); }

  void StartFrom(const std::string& file) {
    left_.emplace_back(file);
    own_.insert(file);
  }

  bool See(const SeeHeader& see) {
    while (!left_.empty()) {
      const fs::path file = std::move(left_.back());
      left_.pop_back();
      if (!seen_.insert(file.string()).second) continue;
      const auto text = os::ReadFile(file.string());
      if (!text ||
          (!own_.contains(file.string()) && !see(file.string(), *text)))
        return false;
      AddIncluded(*text, file);
    }
    return true;
  }

 private:
  void AddIncluded(std::string_view text, const fs::path& file) {
    for (size_t at = text.find("include"); at != std::string_view::npos;
         at = text.find("include", at + 1)) {
      const size_t start = text.rfind('\n', at) + 1;
      const size_t end = text.find('\n', at);
      const auto include = source_check::IncludeOf(
          text.substr(start, std::min(end, text.size()) - start));
      if (!include) continue;
      if (include->mark == 0)
        AddAllAround(file);
      else
        Add(std::string(include->name), include->mark == '"', file);
    }
  }

  void Add(const std::string& name, bool beside, const fs::path& file) {
    if (beside) AddIfThere(file.parent_path() / name);
    AddOfFolders(name);
  }

  void AddOfFolders(const std::string& name) {
    if (!asked_.insert(name).second) return;
    for (const fs::path& folder : folders_) AddIfThere(folder / name);
  }

  static bool IsFile(const fs::path& path) {
    std::error_code ignored;
    return fs::is_regular_file(path, ignored);
  }

  void AddIfThere(const fs::path& file) {
    if (IsFile(file)) left_.push_back(file.lexically_normal());
  }

  // A macro says what is included: any file of the library.
  void AddAllAround(const fs::path& file) {
    fs::path around;
    for (const fs::path& folder : folders_) {
      const fs::path inside = file.lexically_relative(folder);
      if (inside.empty() || *inside.begin() == "..") continue;
      const fs::path found = std::next(inside.begin()) == inside.end()
                                 ? folder
                                 : folder / *inside.begin();
      if (found.string().size() > around.string().size()) around = found;
    }
    if (around.empty() || !all_of_.insert(around.string()).second) return;
    std::error_code error;
    for (fs::recursive_directory_iterator entries(
             around, fs::directory_options::follow_directory_symlink, error);
         !error && entries != fs::recursive_directory_iterator();
         entries.increment(error))
      AddIfThere(entries->path());
  }

  std::vector<fs::path> folders_;
  std::vector<fs::path> left_;
  std::set<std::string> own_;    // what is compiled
  std::set<std::string> asked_;  // names, of all folders
  std::set<std::string> seen_;
  std::set<std::string> all_of_;
};

}  // namespace

bool SeeReachedHeaders(const Sources& sources, const SeeHeader& see) {
  Walk walk(sources);
  bool has_cuda = false;
  for (const std::string& file : sources.files) {
    walk.StartFrom(file);
    has_cuda |= file.ends_with(".cu");
  }
  if (has_cuda) walk.StartFromCuda();
  return walk.KnowsFolders() && walk.See(see);
}

bool SeeHeadersOfCuda(const Sources& sources, const SeeHeader& see) {
  Walk walk(sources);
  walk.StartFromCuda();
  return walk.KnowsFolders() && walk.See(see);
}

}  // namespace kb::builder
