#include "page_file.h"

#include <filesystem>
#include <limits>

#include "os/files.h"

namespace kb::cli {

namespace fs = std::filesystem;
using base::Result;

Result<void> CheckPageFile(const std::string& path) {
  std::error_code error;
  if (fs::is_directory(path, error))
    return base::Usage("--out {}: that is a folder; name a file in it, e.g. {}",
                       path, (fs::path(path) / "report.html").string());
  const fs::path folder = fs::path(path).parent_path();
  if (!folder.empty() && !fs::is_directory(folder, error))
    return base::Usage("--out {}: there is no folder {}; make it first", path,
                       folder.string());
  if (!fs::is_regular_file(path, error) || fs::file_size(path, error) == 0)
    return base::Ok();
  KB_ASSIGN(const std::string before,
            os::ReadFile(path, std::numeric_limits<int64_t>::max()));
  if (!before.starts_with("<!DOCTYPE html>"))
    return base::Usage(
        "--out {}: that file is there and no page (a store, maybe); name "
        "another one",
        path);
  return base::Ok();
}

Result<void> WritePage(const std::string& path, const std::string& page) {
  if (const auto written = os::WriteOutput(path, page); !written)
    return base::Propagate(written.error().Wrap("--out " + path));
  return base::Ok();
}

}  // namespace kb::cli
