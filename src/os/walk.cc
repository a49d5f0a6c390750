#include "os/walk.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

namespace kb::os {
namespace {

namespace fs = std::filesystem;
using base::Result;

class Walk {
 public:
  Walk(const PathFilter& wanted, const PathFilter& skipped)
      : wanted_(wanted), skipped_(skipped) {}

  Result<void> Enter(const std::string& folder) {
    std::error_code error;
    fs::directory_iterator entry(folder, error);
    for (; !error && entry != fs::directory_iterator();
         entry.increment(error)) {
      const std::string path = entry->path().string();
      if (skipped_(path)) continue;
      std::error_code gone;
      if (entry->symlink_status(gone).type() == fs::file_type::directory)
        folders_.push_back(path);
      else if (wanted_(path))
        KB_TRY(Take(path));
    }
    if (error) return base::Usage("{}: {}", folder, error.message());
    return base::Ok();
  }

  Result<std::vector<std::string>> Below(const std::string& folder) {
    KB_TRY(Enter(folder));
    while (!folders_.empty()) {
      const std::string next = std::move(folders_.back());
      folders_.pop_back();
      KB_TRY(Enter(next));
    }
    std::ranges::sort(files_);
    return std::move(files_);
  }

 private:
  Result<void> Take(const std::string& path) {
    KB_TRY(CheckLink(path));
    std::error_code gone;
    if (fs::is_regular_file(path, gone)) files_.push_back(path);
    return base::Ok();
  }

  const PathFilter& wanted_;
  const PathFilter& skipped_;
  std::vector<std::string> folders_;  // still to be entered
  std::vector<std::string> files_;
};

}  // namespace

std::optional<std::string> BrokenLink(const std::string& path) {
  std::error_code error;
  if (!fs::is_symlink(path, error)) return std::nullopt;
  const fs::file_status there = fs::status(path, error);
  if (there.type() == fs::file_type::not_found)
    return "this link leads to a file that is not there";
  if (error) return error.message();
  return std::nullopt;
}

Result<void> CheckLink(const std::string& path) {
  if (const auto broken = BrokenLink(path))
    return base::Usage("{}: {}", path, *broken);
  return base::Ok();
}

Result<std::vector<std::string>> FilesBelow(const std::string& folder,
                                            const PathFilter& wanted,
                                            const PathFilter& skipped) {
  return Walk(wanted, skipped).Below(folder);
}

}  // namespace kb::os
