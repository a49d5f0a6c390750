#include "overwrite.h"

#include <filesystem>
#include <fstream>

namespace kb::cli {

namespace fs = std::filesystem;

base::Result<void> CheckReplaces(const std::string& option,
                                 const std::string& path,
                                 std::string_view beginning,
                                 std::string_view kind) {
  std::error_code error;
  if (!fs::is_regular_file(path, error) || fs::file_size(path, error) == 0)
    return base::Ok();
  std::string found(beginning.size(), '\0');
  std::ifstream(path).read(found.data(), std::ssize(found));
  if (found == beginning) return base::Ok();
  return base::Usage("{} {}: that file is there and no {}; name another one",
                     option, path, kind);
}

}  // namespace kb::cli
