#include "page_file.h"

#include <filesystem>

#include "os/files.h"
#include "overwrite.h"

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
  return CheckReplaces("--out", path, "<!DOCTYPE html>", "page");
}

Result<void> WritePage(const std::string& path, const std::string& page) {
  if (const auto written = os::WriteOutput(path, page); !written)
    return base::Propagate(written.error().Wrap("--out " + path));
  return base::Ok();
}

}  // namespace kb::cli
