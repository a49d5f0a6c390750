#include "run/files.h"

#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <string_view>

#include "analysis/scores.h"
#include "base/json.h"
#include "interop/original.h"
#include "os/files.h"

namespace kb::run {

namespace fs = std::filesystem;
using base::Result;

std::string RunPath(const std::string& run) {
  std::error_code error;
  if (fs::exists(run, error)) return run;
  const auto store = DefaultStorePath();
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

Result<std::string> DefaultStorePath() {
  const char* data = std::getenv("XDG_DATA_HOME");
  const char* home = std::getenv("HOME");
  std::string folder;
  if (data != nullptr && *data != '\0')
    folder = data;
  else if (home != nullptr && *home != '\0')
    folder = std::string(home) + "/.local/share";
  else
    return base::Usage(
        "neither HOME nor XDG_DATA_HOME is set; name a file "
        "with --store or use --no-store");
  folder += "/kernelbench";
  KB_TRY(os::MakeDirectories(folder));
  return folder + "/eval.db";
}

Result<std::string> BaselineStorePath() {
  KB_ASSIGN(const std::string store, DefaultStorePath());
  return (fs::path(store).parent_path() / "baselines.db").string();
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

Result<std::vector<std::string>> WriteOriginalBaselines(
    const std::vector<record::Baseline>& baselines, const problems::Pack& pack,
    const std::string& folder) {
  std::map<record::BaselineMode, base::Json> files;
  for (const record::Baseline& baseline : baselines) {
    const std::string level = LevelOf(baseline.problem_id);
    if (auto entry = interop::BaselineEntry(baseline, FileNames(pack, level)))
      files[baseline.mode][level][entry->first] = std::move(entry->second);
  }
  KB_TRY(os::MakeDirectories(folder));
  std::vector<std::string> paths;
  for (const auto& [mode, json] : files) {
    const std::string path =
        (fs::path(folder) / interop::BaselineFile(mode)).string();
    KB_TRY(os::WriteFileAtomically(path, base::DumpJson(json, 4)));
    paths.push_back(path);
  }
  return paths;
}

Result<std::optional<record::Policy>> BegunPolicy(
    const std::map<std::string, std::string>& manifest) {
  const auto found = manifest.find("policy");
  if (found == manifest.end()) return std::optional<record::Policy>();
  KB_ASSIGN(const base::Json json, base::ParseJson(found->second, "policy"));
  KB_ASSIGN(record::Policy policy, record::PolicyFromJson(json));
  return std::optional(std::move(policy));
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
