#include "source_errors.h"

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <regex>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "os/files.h"
#include "torch_text.h"

namespace kb::builder {
namespace {

namespace fs = std::filesystem;

// What `form` finds in a line; "" where it finds nothing.
std::string Find(const std::string& line, const std::regex& form) {
  std::smatch match;
  return std::regex_search(line, match, form) ? match[1].str() : "";
}

// In g++'s and nvcc's messages:
//   error: 'class at::Tensor' has no member named 'rectify'; did you mean ...
//   error: class "at::Tensor" has no member "rectify"
std::string MissingMember(const std::string& line) {
  static const std::regex kForm(
      R"(at::Tensor\W+has no member (?:named)?\W*(\w+))");
  return Find(line, kForm);
}

//   error: 'rectified' was not declared in this scope; did you mean ...
//   error: 'rectified' is not a member of 'torch'
//   error: identifier "rectified" is undefined
//   error: namespace "torch" has no member "rectified"
std::string UnknownName(const std::string& line) {
  static const std::regex kForms[] = {
      std::regex(R"((\w+)\W+was not declared in this scope)"),
      std::regex(R"((\w+)\W+is not a member of \W*\w+\W)"),
      std::regex(R"re(identifier "(\w+)" is undefined)re"),
      std::regex(R"re(namespace "[\w:]+" has no member "(\w+)")re")};
  for (const std::regex& form : kForms)
    if (std::string name = Find(line, form); !name.empty()) return name;
  return "";
}

bool IsMissingFile(const std::string& line) {
  return line.find("fatal error: ") != std::string::npos &&
         line.ends_with(": No such file or directory");
}

// Both are whole in all headers, and an enumeration has no constructors.
bool WantsScalarType(const std::string& line) {
  static const std::regex kForm(
      R"re(from "[\w ]*at::DeprecatedTypeProperties[ &]*" to )re"
      R"re("c10::(ScalarType)" exists)re");
  return !Find(line, kForm).empty();
}

bool HasTensorMember(const Sources& sources, const std::string& name) {
  return std::ranges::any_of(
      std::vector<std::string>{"/ATen/core/TensorBody.h",
                               "/ATen/core/TensorBase.h"},
      [&](const std::string& header) {
        const auto text = os::ReadFile(sources.torch_include + header);
        return !text || Identifiers(*text).contains(name);
      });
}

bool HasWord(std::string_view text, std::string_view word) {
  for (size_t at = text.find(word); at != std::string_view::npos;
       at = text.find(word, at + 1)) {
    const size_t end = at + word.size();
    if ((at == 0 || !base::IsOfName(text[at - 1])) &&
        (end == text.size() || !base::IsOfName(text[end])))
      return true;
  }
  return false;
}

// PyTorch's macros put "k" before the name of a type.
bool IsOfConstant(std::string_view name) {
  return name.size() > 1 && name[0] == 'k' && name[1] >= 'A' && name[1] <= 'Z';
}

// Whether any header has the word. Also where not all of them are found.
bool MayBeNamed(const Sources& sources, const std::string& name) {
  constexpr const char* kOfSystem = "/usr/include";
  constexpr size_t kFewest = 1000;  // files of a folder that is complete
  std::vector<std::string> folders = sources.header_folders;
  folders.emplace_back(kOfSystem);
  size_t files = 0;
  std::error_code error;
  if (IsOfConstant(name) || !fs::exists(std::string(kOfSystem) + "/c++", error))
    return true;
  for (const std::string& folder : folders) {
    fs::recursive_directory_iterator entries(
        folder, fs::directory_options::follow_directory_symlink, error);
    for (; !error && entries != fs::recursive_directory_iterator();
         entries.increment(error)) {
      if (!entries->is_regular_file(error)) continue;
      const auto text = os::ReadFile(entries->path().string());
      if (!text || HasWord(*text, name)) return true;
      ++files;
    }
    if (error && fs::exists(folder)) return true;
    error.clear();
  }
  return files < kFewest;
}

bool IsAtSource(const std::string& line, const Sources& sources) {
  return std::ranges::any_of(sources.files, [&](const std::string& file) {
    return line.starts_with(file + ":") || line.starts_with(file + "(");
  });
}

bool IsUnknownAnywhere(const std::string& line, const Sources& sources) {
  if (!IsAtSource(line, sources)) return false;
  if (IsMissingFile(line)) return true;
  const std::string name = UnknownName(line);
  return !name.empty() && !MayBeNamed(sources, name);
}

std::vector<std::string> ErrorsOf(const std::string& output) {
  std::vector<std::string> errors;
  for (std::string& line : base::Split(output, '\n'))
    if (line.find("error: ") != std::string::npos)
      errors.push_back(std::move(line));
  return errors;
}

}  // namespace

bool IsOfSource(const std::string& output, const Sources& sources) {
  const std::vector<std::string> errors = ErrorsOf(output);
  if (errors.empty()) return false;
  const std::string& first = errors.front();
  if (const std::string member = MissingMember(first); !member.empty())
    return !HasTensorMember(sources, member);
  return WantsScalarType(first) || IsUnknownAnywhere(first, sources);
}

bool AreAllOfSource(const std::string& output, const Sources& sources) {
  const std::vector<std::string> errors = ErrorsOf(output);
  return !errors.empty() &&
         std::ranges::all_of(errors, [&](const std::string& error) {
           return IsUnknownAnywhere(error, sources);
         });
}

}  // namespace kb::builder
