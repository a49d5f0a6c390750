#include "diagnostics.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <vector>

#include "base/text.h"

namespace kb::compile {
namespace {

constexpr size_t kMaxBytes = size_t{8} << 10;
constexpr size_t kMaxLine = 600;  // command lines of torch have 2000
constexpr size_t kContextLines = 4;

// How compilers, linkers, ptxas, ninja and Python begin to say what is wrong.
constexpr std::array<std::string_view, 10> kErrorWords = {"error:",
                                                          "error :",
                                                          "Error:",
                                                          "fatal",
                                                          "undefined reference",
                                                          "undefined symbol",
                                                          "cannot find -l",
                                                          "ptxas error",
                                                          "Killed signal",
                                                          "catastrophic"};

// What the system says when a disk is full, a quota is used up, a disk fails.
constexpr std::array<std::string_view, 3> kDiskWords = {
    "No space left on device", "Disk quota exceeded", "Input/output error"};

bool Contains(std::string_view line, std::string_view word) {
  return line.find(word) != std::string_view::npos;
}

bool IsError(std::string_view line) {
  // nvcc: "k.cu(3): error: ..." but also "k.cu(3): error #20: ...".
  if (Contains(line, ": error")) return true;
  return std::any_of(
      kErrorWords.begin(), kErrorWords.end(),
      [&](std::string_view word) { return Contains(line, word); });
}

// "In file included from", "k.cu: In function 'f':" lead up to an error.
bool LeadsUp(std::string_view line) {
  return line.starts_with("In file included") || Contains(line, ": In ") ||
         Contains(line, ": At global scope") || Contains(line, "from ");
}

// ninja's progress and the commands that it and nvcc echo.
bool IsNoise(std::string_view line) {
  return line.starts_with("FAILED: ") || line.starts_with("ninja: ") ||
         (line.starts_with('[') && Contains(line, "/") &&
          Contains(line, "] ")) ||
         (line.size() > kMaxLine && Contains(line, " -I"));
}

bool IsPathCharacter(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
         std::string_view("._-+@=~").find(c) != std::string_view::npos;
}

// Replaces each absolute path of two or more parts by its last part.
std::string WithoutFolders(std::string_view line) {
  std::string text;
  for (size_t i = 0; i < line.size();) {
    const bool starts =
        line[i] == '/' &&
        (i == 0 || (!IsPathCharacter(line[i - 1]) && line[i - 1] != '/'));
    if (!starts) {
      text += line[i++];
      continue;
    }
    size_t end = i;
    size_t last = i;
    size_t slashes = 0;
    while (end < line.size() &&
           (line[end] == '/' || IsPathCharacter(line[end]))) {
      if (line[end] == '/') {
        ++slashes;
        last = end;
      }
      ++end;
    }
    const bool folder = slashes >= 2 && last + 1 < end;
    text += line.substr(folder ? last + 1 : i, end - (folder ? last + 1 : i));
    i = end;
  }
  return text;
}

// Colours and other terminal sequences: ESC [ parameters letter.
std::string WithoutEscapes(std::string_view raw) {
  std::string text;
  for (size_t i = 0; i < raw.size(); ++i) {
    if (raw[i] != '\x1b' || i + 1 >= raw.size() || raw[i + 1] != '[') {
      text += raw[i];
      continue;
    }
    i += 2;
    while (i < raw.size() &&
           std::isalpha(static_cast<unsigned char>(raw[i])) == 0)
      ++i;
  }
  return text;
}

std::vector<std::string> Interesting(std::string_view text) {
  std::vector<std::string> lines;
  for (const std::string& line : base::Split(text, '\n')) {
    if (IsNoise(line)) continue;
    lines.push_back(WithoutFolders(base::Shorten(line, kMaxLine)));
  }
  return lines;
}

// Where the first error and what leads up to it begins.
std::optional<size_t> FirstError(const std::vector<std::string>& lines) {
  const auto error =
      std::find_if(lines.begin(), lines.end(),
                   [](const std::string& line) { return IsError(line); });
  if (error == lines.end()) return std::nullopt;
  auto start = static_cast<size_t>(error - lines.begin());
  for (size_t n = 0; n < kContextLines && start > 0; ++n) {
    if (!LeadsUp(lines[start - 1])) break;
    --start;
  }
  return start;
}

bool IsWarning(std::string_view line) {
  return Contains(line, "warning:") || Contains(line, ": warning");
}

}  // namespace

std::string TrimDiagnostics(std::string_view raw) {
  const std::vector<std::string> lines =
      Interesting(base::Printable(WithoutEscapes(raw)));
  const size_t start = FirstError(lines).value_or(0);
  std::string text;
  bool in_warning = false;
  for (size_t i = start; i < lines.size(); ++i) {
    // A warning's source lines are indented and follow it.
    if (IsWarning(lines[i]))
      in_warning = true;
    else if (!lines[i].empty() && lines[i].front() != ' ')
      in_warning = false;
    if (!in_warning) text += lines[i] + "\n";
  }
  return base::Shorten(base::Trim(text), kMaxBytes);
}

std::string LineOfDisk(std::string_view raw) {
  const std::vector<std::string> lines =
      Interesting(base::Printable(WithoutEscapes(raw)));
  const auto found = std::ranges::find_if(lines, [](const std::string& line) {
    // Quoted source is indented.
    return !line.starts_with(' ') &&
           std::ranges::any_of(kDiskWords, [&](std::string_view word) {
             return Contains(line, word);
           });
  });
  return found == lines.end() ? "" : *found;
}

}  // namespace kb::compile
