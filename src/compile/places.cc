#include "places.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>

#include "base/text.h"

namespace kb::compile {
namespace {

namespace fs = std::filesystem;

// Visible in every jail.
constexpr std::array<std::string_view, 6> kSystemFolders = {
    "/usr", "/bin", "/sbin", "/lib", "/lib64", "/etc"};

bool IsSystem(std::string_view path) {
  return std::any_of(kSystemFolders.begin(), kSystemFolders.end(),
                     [&](std::string_view f) { return IsBelow(path, f); });
}

// Folders of the system that are no installation of anything, and whole homes.
bool HoldsMoreThanTools(const SearchPlaces& places, const fs::path& path) {
  constexpr std::array<std::string_view, 11> kShared = {
      "/",    "/root", "/home",  "/tmp", "/var", "/run",
      "/srv", "/mnt",  "/media", "/dev", "/proc"};
  if (std::find(kShared.begin(), kShared.end(), path.string()) != kShared.end())
    return true;
  if (path.parent_path() == "/home") return true;
  const auto home = Environment(places, "HOME");
  return home && IsBelow(Resolved(*home), path.string());
}

void AddBind(jail::Bind bind, std::vector<jail::Bind>* binds) {
  const auto covers = [&](const jail::Bind& other) {
    return other.source == other.target && bind.source == bind.target &&
           IsBelow(bind.source, other.source);
  };
  if (std::any_of(binds->begin(), binds->end(), [&](const jail::Bind& other) {
        return covers(other) ||
               (other.source == bind.source && other.target == bind.target);
      }))
    return;
  binds->push_back(std::move(bind));
}

}  // namespace

std::optional<std::string> Environment(const SearchPlaces& places,
                                       const std::string& name) {
  const auto it = places.env.find(name);
  if (it == places.env.end() || it->second.empty()) return std::nullopt;
  return it->second;
}

std::optional<std::string> FindOnPath(const SearchPlaces& places,
                                      const std::string& name) {
  const auto path = Environment(places, "PATH");
  if (!path) return std::nullopt;
  for (const std::string& folder : base::Split(*path, ':')) {
    if (folder.empty() || folder.front() != '/') continue;
    std::string file = fmt::format("{}/{}", folder, name);
    std::error_code ignored;
    if (!fs::is_regular_file(file, ignored)) continue;
    if (::access(file.c_str(), X_OK) != 0) continue;
    if (fs::path(Resolved(file)).filename() == "ccache") continue;
    return file;
  }
  return std::nullopt;
}

std::string Resolved(const std::string& path) {
  std::error_code error;
  const fs::path resolved = fs::canonical(path, error);
  return error ? path : resolved.string();
}

std::vector<std::string> FoldersAbove(const std::string& folder) {
  std::vector<std::string> folders;
  fs::path path = fs::path(folder).lexically_normal();
  for (; path != path.parent_path(); path = path.parent_path())
    folders.push_back(path.string());
  folders.push_back(path.string());
  return folders;
}

bool IsBelow(std::string_view path, std::string_view folder) {
  if (!path.starts_with(folder)) return false;
  return path.size() == folder.size() || path[folder.size()] == '/';
}

void AddPrefix(const SearchPlaces& places, const std::string& folder,
               std::vector<jail::Bind>* binds) {
  std::error_code error;
  if (folder.empty() || folder.front() != '/') return;
  if (!fs::is_directory(folder, error)) return;
  const std::string real = Resolved(folder);
  const std::string name = fs::path(folder).lexically_normal().string();
  if (!IsSystem(real)) {
    if (HoldsMoreThanTools(places, real)) return;
    AddBind({real, real, false}, binds);
  }
  if (name != real && !IsSystem(name)) AddBind({real, name, false}, binds);
}

std::vector<int64_t> ParseVersion(std::string_view text) {
  std::vector<int64_t> numbers;
  const char* at = text.data();
  const char* const end = text.data() + text.size();
  for (;;) {
    int64_t number = 0;
    const auto [next, error] = std::from_chars(at, end, number);
    if (error != std::errc()) return numbers;
    numbers.push_back(number);
    if (next == end || *next != '.') return numbers;
    at = next + 1;
  }
}

}  // namespace kb::compile
