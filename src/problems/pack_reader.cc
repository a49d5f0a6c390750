#include "pack_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string_view>

#include "guard/source_text.h"
#include "natural_order.h"
#include "os/files.h"
#include "problems/overrides.h"
#include "python_outline.h"

namespace kb::problems {
namespace {

namespace fs = std::filesystem;
using base::Ok;
using base::Result;
using base::Usage;

constexpr uint64_t kMaxFileBytes = uint64_t{1} << 20;
// <pack>/KernelBench/v3/level1 is as deep as known packs go.
constexpr int kMaxDepth = 3;
constexpr const char* kNotesFile = "problems.toml";

bool IsDigits(std::string_view text) {
  return !text.empty() &&
         text.find_first_not_of("0123456789") == std::string_view::npos;
}

bool IsLevel(std::string_view folder_name) {
  return folder_name.starts_with("level") && IsDigits(folder_name.substr(5));
}

// "23_Softmax_" -> "Softmax"
std::string NameOf(const std::string& stem) {
  const std::string number = NumberOf(stem);
  std::string name = number.empty() ? stem : stem.substr(number.size() + 1);
  while (name.size() > 1 && name.back() == '_') name.pop_back();
  return name;
}

struct Listing {
  std::vector<std::string> folders;
  std::vector<std::string> python_files;
};

// Names without the folder, sorted; nothing hidden or private (_name).
Listing ListFolder(const std::string& folder) {
  Listing listing;
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end;
       it.increment(error)) {
    const std::string name = it->path().filename();
    if (name.starts_with('.') || name.starts_with('_')) continue;
    std::error_code ignored;
    if (it->is_directory(ignored)) {
      listing.folders.push_back(name);
    } else if (it->is_regular_file(ignored) && name.ends_with(".py")) {
      listing.python_files.push_back(name);
    }
  }
  std::ranges::sort(listing.folders);
  std::ranges::sort(listing.python_files);
  return listing;
}

std::string Join(const std::string& folder, const std::string& name) {
  return (fs::path(folder) / name).string();
}

// What is missing in a problem's source, as messages; empty: it is complete.
std::vector<std::string> Defects(const std::string& source) {
  if (source.find('\0') != std::string::npos || !guard::IsUtf8(source))
    return {"the file is not UTF-8 text"};
  struct Part {
    const char* keyword;
    const char* name;
    const char* purpose;
  };
  constexpr Part kParts[] = {
      {"class", "Model", "the reference"},
      {"def", "get_inputs", "forward's arguments"},
      {"def", "get_init_inputs",
       "the constructor's arguments; return [] when "
       "there are none"},
  };
  const PythonOutline outline = OutlineOf(source);
  std::vector<std::string> defects;
  for (const Part& part : kParts)
    if (!outline.Defines(part.keyword, part.name))
      defects.push_back(
          fmt::format("there is no \"{} {}\" at module level ({})",
                      part.keyword, part.name, part.purpose));
  return defects;
}

}  // namespace

std::string NumberOf(const std::string& stem) {
  const size_t end = stem.find('_');
  if (end == std::string::npos || !IsDigits(stem.substr(0, end))) return "";
  return stem.substr(0, end);
}

PackReader::PackReader(std::string root, std::string name)
    : root_(std::move(root)) {
  pack_.name_ = std::move(name);
}

Result<Pack> PackReader::Read() {
  std::error_code error;
  if (fs::is_directory(root_, error)) {
    const fs::path whole = fs::absolute(root_, error).lexically_normal();
    const std::string folder_name = whole.has_filename()
                                        ? whole.filename()
                                        : whole.parent_path().filename();
    ReadFolder(root_, IsLevel(folder_name) ? folder_name : "", 0);
  } else if (fs::is_regular_file(root_, error) && root_.ends_with(".py")) {
    KB_TRY(ReadSingleFile());
  } else {
    return Usage(
        "{}: no such pack; give a folder that holds level1/1_Name.py and the "
        "like, or one problem as a .py file",
        root_);
  }
  if (pack_.entries_.empty() && pack_.issues_.empty())
    return Usage(
        "{}: there is no problem in this folder; problems are files like "
        "level1/1_Name.py",
        root_);
  std::ranges::sort(pack_.entries_, [](const Entry& a, const Entry& b) {
    return NaturallyLess(a.id, b.id);
  });
  return std::move(pack_);
}

Result<void> PackReader::ReadSingleFile() {
  const fs::path path(root_);
  const std::string stem = path.stem();
  ReadProblem(root_, stem, stem);
  if (pack_.entries_.empty()) {
    std::string all;
    for (const Issue& issue : pack_.issues_) {
      if (!all.empty()) all += '\n';
      all += issue.ToString();
    }
    return Usage("{}", all);
  }
  // The notes of the level that the file lies in, if it does.
  if (!NumberOf(stem).empty())
    AddNotes(Join(path.parent_path(), kNotesFile), "", false);
  return Ok();
}

void PackReader::ReadFolder(const std::string& folder,
                            const std::string& prefix, int depth) {
  const Listing listing = ListFolder(folder);
  const std::string last = prefix.substr(prefix.rfind('/') + 1);
  if (IsLevel(last)) {
    ReadLevel(folder, prefix, listing.python_files);
    return;
  }
  // A folder of problems without a level.
  if (depth == 0) {
    std::vector<std::string> numbered;
    for (const std::string& file : listing.python_files)
      if (!NumberOf(file).empty()) numbered.push_back(file);
    if (!numbered.empty()) ReadLevel(folder, prefix, numbered);
  }
  if (depth == kMaxDepth) return;
  for (const std::string& name : listing.folders)
    ReadFolder(Join(folder, name),
               prefix.empty() ? name : fmt::format("{}/{}", prefix, name),
               depth + 1);
}

void PackReader::ReadLevel(const std::string& folder, const std::string& prefix,
                           const std::vector<std::string>& files) {
  for (const std::string& file : files) {
    const std::string path = Join(folder, file);
    const std::string stem = file.substr(0, file.size() - 3);
    std::string number = NumberOf(stem);
    if (number.empty()) {
      Complain(path,
               "the name must begin with the problem's number, e.g. "
               "23_Softmax.py",
               "");
      continue;
    }
    number.erase(0, std::min(number.find_first_not_of('0'), number.size() - 1));
    ReadProblem(path,
                prefix.empty() ? number : fmt::format("{}/{}", prefix, number),
                stem);
  }
  AddNotes(Join(folder, kNotesFile), prefix, true);
}

void PackReader::ReadProblem(const std::string& path, const std::string& id,
                             const std::string& stem) {
  const auto [known, is_new] = path_of_.emplace(id, path);
  if (!is_new) {
    Complain(path,
             fmt::format("{} has the same id {}; give one of them "
                         "another number",
                         known->second, id),
             id);
    std::erase_if(pack_.entries_,
                  [&](const Entry& entry) { return entry.id == id; });
    pack_.bodies_.erase(id);
    return;
  }
  auto source = os::ReadFile(path, kMaxFileBytes);
  if (!source) return Complain(path, source.error().message(), id);
  const std::vector<std::string> defects = Defects(*source);
  for (const std::string& defect : defects) Complain(path, defect, id);
  if (!defects.empty()) return;
  pack_.entries_.push_back({id, NameOf(stem), path, false, {}, false, {}, {}});
  pack_.bodies_[id].source = std::move(*source);
}

void PackReader::AddNotes(const std::string& toml_path,
                          const std::string& prefix, bool whole_level) {
  std::error_code error;
  if (!fs::is_regular_file(toml_path, error)) return;
  const auto text = os::ReadFile(toml_path, kMaxFileBytes);
  if (!text) return Complain(toml_path, text.error().message(), "");
  std::vector<Issue> issues;
  const auto notes = ReadNotes(toml_path, *text, &issues);
  pack_.issues_.insert(pack_.issues_.end(), issues.begin(), issues.end());
  for (const auto& [number, note] : notes) {
    if (!whole_level) {
      Entry* entry = &pack_.entries_.front();
      if (NumberOf(fs::path(entry->path).stem()) == number)
        ApplyNotes(toml_path, note, entry);
      continue;
    }
    const std::string id =
        prefix.empty() ? number : fmt::format("{}/{}", prefix, number);
    if (Entry* entry = FindEntry(id)) {
      ApplyNotes(toml_path, note, entry);
    } else if (!path_of_.contains(id)) {
      pack_.issues_.push_back({toml_path, note.line,
                               fmt::format("there is no problem {}", id), ""});
    }
  }
}

void PackReader::ApplyNotes(const std::string& toml_path, const Notes& notes,
                            Entry* entry) {
  entry->tags = notes.tags;
  entry->flags = notes.flags;
  entry->precisions = notes.precisions;
  entry->inputs_as_given = notes.inputs_as_given;
  if (notes.small.empty()) return;
  Pack::Body& body = pack_.bodies_.at(entry->id);
  const auto applied = ApplyOverrides(body.source, notes.small);
  if (!applied) {
    pack_.issues_.push_back({toml_path, notes.small_line,
                             fmt::format("small sizes of {}: {}", entry->path,
                                         applied.error().message()),
                             ""});
    return;
  }
  body.small = notes.small;
  entry->has_small = true;
}

Entry* PackReader::FindEntry(const std::string& id) {
  for (Entry& entry : pack_.entries_)
    if (entry.id == id) return &entry;
  return nullptr;
}

void PackReader::Complain(const std::string& path, const std::string& message,
                          const std::string& id) {
  pack_.issues_.push_back({path, 0, message, id});
}

}  // namespace kb::problems
