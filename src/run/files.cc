#include "run/files.h"

#include <fmt/format.h>

#include <cctype>
#include <filesystem>
#include <string_view>

#include "analysis/scores.h"
#include "base/json.h"
#include "interop/original.h"
#include "os/files.h"
#include "workplace/workplace.h"

namespace kb::run {

namespace fs = std::filesystem;
using base::Result;

std::string RunPath(const std::string& run) {
  std::error_code error;
  if (fs::exists(run, error)) return run;
  const auto store = workplace::DefaultStorePath();
  if (!store) return run;
  const fs::path named = fs::path(*store).parent_path() / (run + ".db");
  return fs::exists(named, error) ? named.string() : run;
}

std::string StoreNameOf(const std::string& model) {
  constexpr std::string_view kReplay = "replay:";
  std::string name = model;
  if (name.starts_with(kReplay)) {
    fs::path replayed = name.substr(kReplay.size());
    if (!replayed.has_filename()) replayed = replayed.parent_path();
    name = "replay-" + (replayed.extension() == ".db" ? replayed.stem()
                                                      : replayed.filename())
                           .string();
  }
  for (char& c : name)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 &&
        std::string_view("._-").find(c) == std::string_view::npos)
      c = '-';
  return name;
}

std::string LevelOf(const std::string& problem) {
  const std::string level = analysis::LevelOf(problem);
  return level.empty() ? "level0" : level;
}

std::map<int64_t, std::string> FileNames(const problems::Pack& pack,
                                         const std::string& level) {
  std::map<int64_t, std::string> names;
  for (const problems::Entry& entry : pack.List())
    if (const auto number = interop::NumberIn(entry.id);
        number && LevelOf(entry.id) == level)
      names[*number] = fs::path(entry.path).filename();
  return names;
}

Result<void> WriteOriginalBaselines(
    const std::vector<record::Baseline>& baselines, const problems::Pack& pack,
    const std::string& folder) {
  std::map<record::BaselineMode, base::Json> files;
  for (const record::Baseline& baseline : baselines) {
    const std::string level = LevelOf(baseline.problem_id);
    if (auto entry = interop::BaselineEntry(baseline, FileNames(pack, level)))
      files[baseline.mode][level][entry->first] = std::move(entry->second);
  }
  KB_TRY(os::MakeDirectories(folder));
  for (const auto& [mode, json] : files) {
    const std::string path =
        (fs::path(folder) / interop::BaselineFile(mode)).string();
    KB_TRY(os::WriteFileAtomically(path, base::DumpJson(json, 4)));
    fmt::print("{}\n", path);
  }
  return base::Ok();
}

base::Result<store::Store> OpenRun(const std::string& run) {
  const std::string path = RunPath(run);
  std::error_code error;
  if (!fs::exists(path, error))
    return base::Usage(
        "there is no file {} and no run of that name; see kernelbench runs "
        "list",
        run);
  auto store = store::Store::Open(path, store::Store::Mode::kExisting);
  if (!store) return base::Usage("{}", store.error().message());
  return store;
}

base::Result<void> CheckOutIsNew(const std::string& folder) {
  std::error_code error;
  if (fs::exists(folder, error) && !fs::is_empty(folder, error))
    return base::Usage("--out {}: there is something already", folder);
  return base::Ok();
}

}  // namespace kb::run
