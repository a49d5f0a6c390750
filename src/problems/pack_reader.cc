#include "pack_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <string_view>

#include "hidden.h"
#include "natural_order.h"
#include "os/files.h"
#include "os/walk.h"
#include "problems/overrides.h"
#include "reference_check.h"
#include "selections.h"
#include "table.h"

namespace kb::problems {
namespace {

namespace fs = std::filesystem;
using base::Ok;
using base::Result;
using base::Usage;

constexpr uint64_t kMaxFileBytes = uint64_t{1} << 20;
// <pack>/KernelBench/v3/level1 is as deep as known packs go.
constexpr int kMaxDepth = 3;
// The folder of the original's repository that holds the levels; not part of
// ids.
constexpr const char* kOriginalsFolder = "KernelBench";
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
  std::vector<std::string> tables;
  std::map<std::string, std::string> broken;  // by path: why not to be read
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
    if (name.ends_with(".py") || IsTable(name))
      if (const auto broken = os::BrokenLink(it->path()))
        listing.broken[it->path()] = *broken;
    if (it->is_directory(ignored)) {
      listing.folders.push_back(name);
    } else if (it->is_regular_file(ignored) && name.ends_with(".py")) {
      listing.python_files.push_back(name);
    } else if (it->is_regular_file(ignored) && IsTable(name)) {
      listing.tables.push_back(name);
    }
  }
  if (error) listing.broken[folder] = error.message();
  std::ranges::sort(listing.folders);
  std::ranges::sort(listing.python_files);
  std::ranges::sort(listing.tables);
  return listing;
}

std::string Join(const std::string& folder, const std::string& name) {
  return (fs::path(folder) / name).string();
}

Result<Costs> ReadCosts(const std::string& path) {
  KB_ASSIGN(const std::string text, os::ReadFile(path, kMaxFileBytes));
  return CostsFromText(text);
}

}  // namespace

std::string NumberOf(const std::string& stem) {
  const size_t end = stem.find('_');
  if (end == std::string::npos || !IsDigits(stem.substr(0, end))) return "";
  return stem.substr(0, end);
}

PackReader::PackReader(std::string root, std::string name,
                       Pack::ParquetReader parquet)
    : root_(std::move(root)), parquet_(std::move(parquet)) {
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
    ReadSelectionsAndCosts();
  } else if (fs::is_regular_file(root_, error) && IsTable(root_)) {
    KB_TRY(ReadRows(root_));
  } else if (fs::is_regular_file(root_, error) && root_.ends_with(".py")) {
    KB_TRY(ReadSingleFile());
  } else {
    return Usage(
        "{}: no such pack; give a folder that holds level1/1_Name.py and the "
        "like, a .jsonl or .parquet file, or one problem as a .py file",
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
  for (const auto& [path, why] : listing.broken) Complain(path, 0, why, "");
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
  for (const std::string& table : listing.tables) {
    const std::string path = Join(folder, table);
    const auto read = ReadRows(path);
    if (!read) Complain(path, 0, read.error().message(), "");
  }
  if (depth == kMaxDepth) return;
  for (const std::string& name : listing.folders) {
    const bool is_known = prefix.empty() && name == kOriginalsFolder;
    const std::string below =
        is_known ? "" : (fs::path(prefix) / name).string();
    ReadFolder(Join(folder, name), below, depth + 1);
  }
}

void PackReader::ReadLevel(const std::string& folder, const std::string& prefix,
                           const std::vector<std::string>& files) {
  for (const std::string& file : files) {
    const std::string path = Join(folder, file);
    const std::string stem = file.substr(0, file.size() - 3);
    std::string number = NumberOf(stem);
    if (number.empty()) {
      Complain(path, 0,
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
  auto source = os::ReadFile(path, kMaxFileBytes);
  if (!source) {
    path_of_.emplace(id, path);
    return Complain(path, 0, source.error().message(), id);
  }
  AddProblem(path, 0, id, NameOf(stem), std::move(*source));
}

Result<void> PackReader::ReadRows(const std::string& path) {
  KB_ASSIGN(const std::vector<Row> rows,
            ReadTable(path, parquet_, [&](int row, const std::string& message) {
              Complain(path, row, message, "");
            }));
  for (const Row& row : rows) {
    if (row.id.empty()) {
      Complain(path, row.number, "the row has neither a problem_id nor a name",
               "");
      continue;
    }
    const std::string id = row.level.empty()
                               ? row.id
                               : fmt::format("level{}/{}", row.level, row.id);
    AddProblem(path, row.number, id,
               NameOf(row.name.empty() ? row.id : row.name), row.source);
  }
  return Ok();
}

void PackReader::AddProblem(const std::string& path, int row,
                            const std::string& id, const std::string& name,
                            std::string source) {
  const std::string place = Issue{path, row, "", ""}.Place();
  const auto [known, is_new] = path_of_.emplace(id, place);
  if (!is_new) {
    Complain(path, row,
             fmt::format("{} has the same id {}; give one of them "
                         "another number",
                         known->second, id),
             id);
    std::erase_if(pack_.entries_,
                  [&](const Entry& entry) { return entry.id == id; });
    pack_.bodies_.erase(id);
    return;
  }
  CheckedSource checked = CheckSource(source);
  for (const Defect& defect : checked.defects)
    pack_.issues_.push_back(
        Issue::InSource(path, row, defect.line, defect.message, id));
  if (!checked.defects.empty()) {
    pack_.broken_[id] = {path, row, std::move(source)};
    return;
  }
  Entry entry;
  entry.id = id;
  entry.name = name;
  entry.path = path;
  entry.line = row;
  entry.reference = checked.reference;
  if (!checked.float32_alone) entry.given = record::Precision::kAsGiven;
  entry.hidden = HiddenByRule(source);
  pack_.entries_.push_back(std::move(entry));
  pack_.bodies_[id].source = std::move(source);
}

void PackReader::ReadSelectionsAndCosts() {
  std::error_code error;
  const std::string selections = Join(root_, "selections.toml");
  if (fs::is_regular_file(selections, error)) {
    const auto text = os::ReadFile(selections, kMaxFileBytes);
    if (text)
      pack_.selections_ = ReadSelections(selections, *text, &pack_.issues_);
    else
      Complain(selections, 0, text.error().message(), "");
  }
  const std::string costs = Join(root_, "costs.json");
  if (fs::is_regular_file(costs, error)) {
    auto read = ReadCosts(costs);
    if (read)
      pack_.costs_ = std::move(*read);
    else
      Complain(costs, 0, read.error().message(), "");
  }
}

void PackReader::AddNotes(const std::string& toml_path,
                          const std::string& prefix, bool whole_level) {
  std::error_code error;
  if (!fs::is_regular_file(toml_path, error)) return;
  const auto text = os::ReadFile(toml_path, kMaxFileBytes);
  if (!text) return Complain(toml_path, 0, text.error().message(), "");
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
  // A file that makes float32 alone runs in these only when it is cast.
  if (entry->given == record::Precision::kFp32 && !notes.precisions.empty() &&
      std::ranges::find(notes.precisions, entry->given) ==
          notes.precisions.end())
    entry->given = notes.precisions.front();
  entry->inputs_as_given = notes.inputs_as_given;
  entry->tolerances = notes.tolerances;
  entry->floor = notes.floor;
  entry->scale = notes.scale;
  if (notes.hidden) entry->hidden = *notes.hidden;
  for (const std::string& name : entry->hidden) {
    const auto constant =
        IntegerConstant(pack_.bodies_.at(entry->id).source, name);
    if (constant) continue;
    Complain(toml_path, notes.line,
             fmt::format("hidden of {}: {}", entry->path,
                         constant.error().message()),
             "");
    entry->hidden.clear();
    break;
  }
  if (!entry->scale.empty()) {
    const auto constant =
        IntegerConstant(pack_.bodies_.at(entry->id).source, entry->scale);
    if (!constant)
      Complain(toml_path, notes.line,
               fmt::format("scale of {}: {}", entry->path,
                           constant.error().message()),
               "");
  }
  if (!notes.fla.empty()) {
    auto text = os::ReadFile(Join(fs::path(toml_path).parent_path(), notes.fla),
                             kMaxFileBytes);
    entry->has_fla = text.has_value();
    if (text)
      pack_.bodies_.at(entry->id).fla = std::move(*text);
    else
      Complain(toml_path, notes.line, text.error().message(), "");
  }
  Pack::Body& body = pack_.bodies_.at(entry->id);
  for (const auto& [size, constants] : notes.sizes) {
    const auto applied = ApplyOverrides(body.source, constants.values);
    if (!applied) {
      Complain(toml_path, constants.line,
               fmt::format("size {} of {}: {}", record::SizeName(size),
                           entry->path, applied.error().message()),
               "");
      continue;
    }
    body.sizes[size] = constants.values;
    if (size.IsNamed())
      entry->sizes.push_back(size);
    else
      entry->has_small = true;
  }
}

Entry* PackReader::FindEntry(const std::string& id) {
  for (Entry& entry : pack_.entries_)
    if (entry.id == id) return &entry;
  return nullptr;
}

void PackReader::Complain(const std::string& path, int line,
                          const std::string& message, const std::string& id) {
  pack_.issues_.push_back({path, line, message, id});
}

}  // namespace kb::problems
