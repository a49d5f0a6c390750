#include "header_libraries.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>
#include <utility>

#include "base/hash.h"
#include "base/text.h"
#include "places.h"

namespace kb::compile {
namespace {

using base::Result;

namespace fs = std::filesystem;

struct Library {
  std::string_view name;
  std::array<std::string_view, 3> variables;  // the first is set for candidates
  std::string_view folder;                    // below a root
  std::string_view wheel;                     // below site-packages; or empty
  std::array<std::string_view, 2> includes;   // below the library's folder
  std::string_view header;                    // that must be there
  std::array<std::string_view, 3> marks;      // how its headers' names begin
  std::string_view advice;
};

constexpr std::array<Library, 2> kLibraries = {{
    {"CUTLASS",
     {"CUTLASS_PATH", "CUTLASS_HOME", "CUTLASS_DIR"},
     "cutlass",
     "cutlass_library/source",
     {"include", "tools/util/include"},
     "cutlass/cutlass.h",
     {"cutlass/", "cute/"},
     "install them beside PyTorch (pip install nvidia-cutlass), or set "
     "CUTLASS_PATH to a checkout of NVIDIA/cutlass"},
    {"ThunderKittens",
     {"THUNDERKITTENS_ROOT", "THUNDERKITTENS_PATH"},
     "ThunderKittens",
     "",
     {"include", "prototype"},
     "kittens.cuh",
     {"kittens.cuh", "kittens/", "prototype.cuh"},
     "set THUNDERKITTENS_ROOT to a checkout of HazyResearch/ThunderKittens"},
}};

bool IsFolder(const std::string& path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored);
}

std::vector<std::string> PlacesOf(const Library& library,
                                  const SearchPlaces& places,
                                  const std::string& site_packages) {
  std::vector<std::string> folders;
  for (const std::string_view variable : library.variables)
    if (auto folder = Environment(places, std::string(variable)))
      folders.push_back(std::move(*folder));
  for (const std::string& root : places.library_roots)
    folders.push_back(fmt::format("{}/{}", root, library.folder));
  if (!library.wheel.empty() && !site_packages.empty())
    folders.push_back(fmt::format("{}/{}", site_packages, library.wheel));
  return folders;
}

// Nothing when the library is not in `folder`.
std::optional<HeaderLibrary> Take(const Library& library,
                                  const SearchPlaces& places,
                                  const std::string& folder) {
  HeaderLibrary found{std::string(library.name), folder, {}, {}};
  bool complete = false;
  for (const std::string_view below : library.includes) {
    std::string include = fmt::format("{}/{}", folder, below);
    if (!IsFolder(include)) continue;
    std::error_code ignored;
    complete |=
        fs::exists(fmt::format("{}/{}", include, library.header), ignored);
    found.includes.push_back(std::move(include));
  }
  if (!complete) return std::nullopt;
  AddPrefix(places, folder, &found.prefixes);
  return found;
}

// A folder of the user's: relative to where the command was started.
Result<HeaderLibrary> TakeNamed(const SearchPlaces& places,
                                const std::string& named) {
  std::error_code error;
  const std::string folder = fs::absolute(named, error).lexically_normal();
  if (error || !IsFolder(folder))
    return base::Usage("--include {}: there is no such folder", named);
  HeaderLibrary found{"", folder, {folder}, {}};
  AddPrefix(places, folder, &found.prefixes);
  // The system's folders need none.
  const bool system = Resolved(folder).starts_with("/usr/");
  if (found.prefixes.empty() && !system)
    return base::Usage(
        "--include {}: it holds more than headers, and candidates could read "
        "it all; name a folder below it",
        named);
  return found;
}

std::vector<std::string> Named(const SearchPlaces& places) {
  std::vector<std::string> named = places.includes;
  if (const auto listed = Environment(places, "KB_INCLUDE"))
    for (std::string& folder : base::Split(*listed, ':'))
      if (!folder.empty()) named.push_back(std::move(folder));
  return named;
}

bool Includes(const std::string& source, const Library& library) {
  return std::ranges::any_of(library.marks, [&](std::string_view mark) {
    return !mark.empty() &&
           (source.find(fmt::format("<{}", mark)) != std::string::npos ||
            source.find(fmt::format("\"{}", mark)) != std::string::npos);
  });
}

const Library* LibraryOf(const HeaderLibrary& found) {
  const auto* const at =
      std::ranges::find(kLibraries, found.name, &Library::name);
  return at == kLibraries.end() ? nullptr : at;
}

// Of every file, so that a header that has changed builds again.
std::string ContentsOf(const std::string& folder) {
  std::vector<std::string> files;
  std::error_code error;
  fs::recursive_directory_iterator it(
      folder, fs::directory_options::skip_permission_denied, error);
  for (; !error && it != fs::end(it); it.increment(error)) {
    std::error_code gone;
    if (!it->is_regular_file(gone)) continue;
    const auto bytes = it->file_size(gone);
    const auto time = it->last_write_time(gone).time_since_epoch().count();
    files.push_back(fmt::format("{} {} {}", it->path().string(), bytes, time));
  }
  std::ranges::sort(files);
  base::KeyBuilder key;
  for (const std::string& file : files) key.Add(file);
  return key.Finish();
}

// The macro by which ThunderKittens is told the GPU.
std::string KittensMacro(const std::string& arch) {
  const auto version = ParseVersion(arch);
  const int64_t number = version.empty() ? 0 : version.front();
  constexpr int64_t kBlackwell = 100;
  constexpr int64_t kHopper = 90;
  if (number >= kBlackwell) return "-DKITTENS_BLACKWELL";
  if (number >= kHopper) return "-DKITTENS_HOPPER";
  if (number == 89) return "-DKITTENS_4090";
  return number == 80 ? "-DKITTENS_A100" : "-DKITTENS_AMPERE";
}

// As the library's own builds have them.
void AddFlags(const Library& library, const std::string& arch, HeaderUse* use) {
  const auto add = [use](const std::string& flag) {
    if (std::ranges::find(use->flags, flag) == use->flags.end())
      use->flags.push_back(flag);
  };
  add("--expt-relaxed-constexpr");
  if (library.name != "ThunderKittens") return;
  add("--expt-extended-lambda");
  add(KittensMacro(arch));
  // Its own builds for Blackwell define both.
  if (KittensMacro(arch) == "-DKITTENS_BLACKWELL") add("-DKITTENS_HOPPER");
  use->cxx20 = true;
}

}  // namespace

Result<std::vector<HeaderLibrary>> FindHeaderLibraries(
    const SearchPlaces& places, const std::string& site_packages) {
  std::vector<HeaderLibrary> all;
  for (const std::string& folder : Named(places)) {
    KB_ASSIGN(HeaderLibrary found, TakeNamed(places, folder));
    all.push_back(std::move(found));
  }
  for (const Library& library : kLibraries) {
    for (const std::string& folder : PlacesOf(library, places, site_packages)) {
      auto found = Take(library, places, folder);
      if (!found) continue;
      all.push_back(std::move(*found));
      break;
    }
  }
  return all;
}

HeaderUse HeadersFor(const std::string& source,
                     const std::vector<HeaderLibrary>& found,
                     const std::string& arch) {
  HeaderUse use;
  for (const HeaderLibrary& headers : found) {
    const Library* const library = LibraryOf(headers);
    if (library != nullptr && !Includes(source, *library)) continue;
    use.folders.insert(use.folders.end(), headers.includes.begin(),
                       headers.includes.end());
    use.binds.insert(use.binds.end(), headers.prefixes.begin(),
                     headers.prefixes.end());
    for (const std::string& folder : headers.includes)
      use.contents.push_back(ContentsOf(folder));
    if (library == nullptr) continue;
    AddFlags(*library, arch, &use);
    use.env[std::string(library->variables.front())] = headers.folder;
  }
  return use;
}

std::string AdviceOnHeaders(const std::string& log) {
  for (const std::string& line : base::Split(log, '\n')) {
    if (line.find("No such file or directory") == std::string::npos) continue;
    for (const Library& library : kLibraries)
      for (const std::string_view mark : library.marks)
        if (!mark.empty() &&
            line.find(fmt::format(" {}", mark)) != std::string::npos)
          return fmt::format(
              "{}'s headers were not found on this machine: {}. --include "
              "FOLDER names any other place.",
              library.name, library.advice);
  }
  return "";
}

}  // namespace kb::compile
