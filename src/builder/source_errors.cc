#include "source_errors.h"

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <regex>
#include <span>
#include <string_view>
#include <system_error>
#include <utility>
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

// Whether a header has one of the names. Also where not all of them are found,
// or where there are so many names that all headers would not take longer.
bool MayBeNamed(const Sources& sources, const Names& names) {
  constexpr const char* kOfSystem = "/usr/include";
  constexpr size_t kFewest = 1000;  // files of a folder that is complete
  constexpr size_t kMostNames = 10;
  std::vector<std::string> folders = sources.header_folders;
  folders.emplace_back(kOfSystem);
  size_t files = 0;
  std::error_code error;
  if (names.size() > kMostNames || std::ranges::any_of(names, IsOfConstant) ||
      !fs::exists(std::string(kOfSystem) + "/c++", error))
    return true;
  for (const std::string& folder : folders) {
    fs::recursive_directory_iterator entries(
        folder, fs::directory_options::follow_directory_symlink, error);
    for (; !error && entries != fs::recursive_directory_iterator();
         entries.increment(error)) {
      if (!entries->is_regular_file(error)) continue;
      const auto text = os::ReadFile(entries->path().string());
      if (!text || std::ranges::any_of(names, [&](const std::string& name) {
            return HasWord(*text, name);
          }))
        return true;
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

// Whether what each of them misses is nowhere.
bool AreUnknownAnywhere(std::span<const std::string> errors,
                        const Sources& sources) {
  Names names;
  for (const std::string& error : errors) {
    if (!IsAtSource(error, sources)) return false;
    if (IsMissingFile(error)) continue;
    std::string name = UnknownName(error);
    if (name.empty()) return false;
    names.insert(std::move(name));
  }
  return names.empty() || !MayBeNamed(sources, names);
}

// nvcc may say "error #20: ".
std::vector<std::string> ErrorsOf(const std::string& output) {
  std::vector<std::string> errors;
  for (std::string& line : base::Split(output, '\n'))
    if (line.find(": error") != std::string::npos ||
        line.find(": fatal error") != std::string::npos)
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
  return WantsScalarType(first) ||
         AreUnknownAnywhere(std::span(errors).first(1), sources);
}

bool AreAllOfSource(const std::string& output, const Sources& sources) {
  const std::vector<std::string> errors = ErrorsOf(output);
  return !errors.empty() && AreUnknownAnywhere(errors, sources);
}

}  // namespace kb::builder
