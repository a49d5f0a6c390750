#include "workplace/datasets.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>

#include "base/json.h"
#include "base/text.h"
#include "compile/toolchain.h"
#include "os/files.h"
#include "os/process.h"

namespace kb::workplace {
namespace {

using base::Result;

constexpr uint64_t kMaxJsonBytes = uint64_t{1} << 30;
constexpr std::chrono::minutes kLimit{30};
constexpr int kMissingPackage = 4;  // hosts/datasets.py says so

Result<std::string> AskHost(const std::vector<std::string>& words) {
  KB_ASSIGN(const std::string root, os::InstallRoot());
  KB_ASSIGN(const compile::Toolchain tools, compile::FindToolchain());
  if (!tools.python.tool)
    return base::Fail("no Python with torch >= 2.4: {}", tools.python.reason);
  const std::string& python = tools.python.tool->path;
  std::vector<std::string> argv{python, "-I", root + "/hosts/datasets.py"};
  argv.insert(argv.end(), words.begin(), words.end());
  KB_ASSIGN(const os::Captured run, os::RunAndCapture(argv, kLimit));
  const auto* exited = std::get_if<os::Exited>(&run.status);
  if (exited != nullptr && exited->code == 0)
    return std::string(base::Trim(run.out));
  const std::string said = base::Printable(base::LastLine(run.err));
  if (exited != nullptr && exited->code == kMissingPackage)
    return base::Usage("{} has no package {}: {} -m pip install {}", python,
                       said, python, said);
  return base::Usage("{}", said.empty() ? os::Describe(run.status) : said);
}

}  // namespace

Result<std::string> ParquetAsJsonLines(const std::string& path) {
  KB_ASSIGN(const os::TempDir folder, os::TempDir::Create("kb-parquet"));
  const std::string lines = folder.path() + "/rows.jsonl";
  if (const auto read = AskHost({"read", path, lines}); !read)
    return base::Propagate(read.error().Wrap("Parquet is read with DuckDB"));
  return os::ReadFile(lines, kMaxJsonBytes);
}

Result<void> WriteParquet(
    const std::string& json_lines,
    const std::vector<std::pair<std::string, std::string>>& columns,
    const std::string& path) {
  base::Json kinds = base::Json::object();
  for (const auto& [name, kind] : columns) kinds[name] = kind;
  KB_ASSIGN(const os::TempDir folder, os::TempDir::Create("kb-parquet"));
  const std::string lines = folder.path() + "/rows.jsonl";
  const std::string types = folder.path() + "/columns.json";
  KB_TRY(os::WriteFileAtomically(lines, json_lines));
  KB_TRY(os::WriteFileAtomically(types, base::DumpJson(kinds)));
  if (const auto written = AskHost({"write", lines, types, path}); !written)
    return base::Propagate(
        written.error().Wrap("Parquet is written with DuckDB"));
  return base::Ok();
}

Result<std::string> FetchDataset(const std::string& name) {
  constexpr const char* kLetters =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./";
  const size_t slash = name.find('/');
  if (slash == 0 || slash == std::string::npos || slash + 1 == name.size() ||
      std::ranges::count(name, '/') != 1 ||
      name.find_first_not_of(kLetters) != std::string::npos)
    return base::Usage("hf:{}: say hf:OWNER/NAME", name);
  auto folder = AskHost({"fetch", name});
  if (!folder)
    return base::Usage(
        "hf:{}: cannot be fetched ({}). Where there is a network: hf download "
        "--repo-type dataset {} --local-dir {}. Then give the folder",
        name, folder.error().message(), name, name.substr(slash + 1));
  return folder;
}

}  // namespace kb::workplace
