#include "sources.h"

#include <filesystem>
#include <set>

#include "base/text.h"
#include "os/files.h"
#include "source_check/source_text.h"

namespace kb::builder {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMostFiles = 256;

struct Folders {
  std::vector<std::string> own;     // by -I
  std::vector<std::string> system;  // by -isystem
};

std::string Unquoted(std::string word) {
  std::erase(word, '\'');
  return word;
}

Folders FoldersOf(const std::string& command) {
  Folders folders;
  const std::vector<std::string> words = base::Split(command, ' ');
  for (size_t i = 0; i < words.size(); ++i) {
    if (words[i] == "-isystem" && i + 1 < words.size())
      folders.system.push_back(Unquoted(words[i + 1]));
    else if (words[i].starts_with("-I"))
      folders.own.push_back(Unquoted(words[i].substr(2)));
  }
  return folders;
}

class Reader {
 public:
  explicit Reader(const std::vector<std::string>& folders)
      : folders_(folders) {}

  void Read(const fs::path& file) {
    if (seen_.size() >= kMostFiles || !seen_.insert(file.string()).second)
      return;
    const std::string text = os::ReadFile(file.string()).value_or("");
    // Their words mean nothing, and may be those by which headers are chosen.
    text_ += source_check::WithoutComments(text, source_check::Language::kCpp);
    text_ += "\n";
    for (const std::string& line : base::Split(text, '\n')) {
      const auto include = source_check::IncludeOf(line);
      if (include && include->mark == '"')
        ReadIncluded(std::string(include->name), file.parent_path());
    }
  }

  const std::string& text() const { return text_; }

 private:
  void ReadIncluded(const std::string& name, const fs::path& beside) {
    std::error_code ignored;
    if (fs::exists(beside / name, ignored)) return Read(beside / name);
    for (const std::string& folder : folders_)
      if (fs::exists(fs::path(folder) / name, ignored))
        return Read(fs::path(folder) / name);
  }

  const std::vector<std::string>& folders_;
  std::set<std::string> seen_;
  std::string text_;
};

}  // namespace

Sources ReadSources(const std::vector<std::string>& files,
                    const std::string& command) {
  const Folders folders = FoldersOf(command);
  Reader reader(folders.own);
  for (const std::string& file : files) reader.Read(file);
  Sources sources{files, reader.text(), folders.system, ""};
  sources.header_folders.insert(sources.header_folders.end(),
                                folders.own.begin(), folders.own.end());
  std::error_code ignored;
  for (const std::string& folder : folders.system)
    if (fs::exists(folder + "/ATen/ATen.h", ignored)) {
      sources.torch_include = folder;
      break;
    }
  return sources;
}

}  // namespace kb::builder
