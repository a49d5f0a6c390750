#include "excerpt.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <string_view>
#include <vector>

#include "base/text.h"

namespace kb::prompt {
namespace {

constexpr size_t kMaxErrors = 3;
constexpr size_t kMaxLine = 300;
constexpr size_t kMaxEndLines = 25;
constexpr size_t kAround = 2;  // lines of the source, on either side

std::string Shown(std::string_view line) {
  return base::ShortenLine(base::Printable(std::string(line)), kMaxLine);
}

// "k.cu:7:3: error: ..." and nvcc's "k.cu(7): error: ..." name a line, from 1;
// 0: none.
size_t LineIn(const std::string& text, const std::string& file_name) {
  if (file_name.empty()) return 0;
  const size_t at = text.find(file_name);
  if (at == std::string::npos) return 0;
  size_t i = at + file_name.size();
  if (i == text.size() || (text[i] != ':' && text[i] != '(')) return 0;
  size_t line = 0;
  constexpr size_t kMostLines = 10000000;
  for (++i; i < text.size() && text[i] >= '0' && text[i] <= '9'; ++i)
    line = std::min(kMostLines, 10 * line + static_cast<size_t>(text[i] - '0'));
  return line;
}

bool IsError(const std::string& line) {
  return line.find("error:") != std::string::npos ||
         line.find("error #") != std::string::npos ||
         line.find("undefined reference") != std::string::npos;
}

// Lines around `line` (from 1), which is marked.
std::string Around(const std::vector<std::string>& source, size_t line) {
  std::string text;
  const size_t first = line > kAround ? line - kAround : 1;
  const size_t last = std::min(line + kAround, source.size());
  for (size_t i = first; i <= last; ++i)
    text += fmt::format("{} {:>4} | {}\n", i == line ? '>' : ' ', i,
                        Shown(source[i - 1]));
  return text;
}

}  // namespace

std::string LogEnd(const std::string& log) {
  std::vector<std::string> lines;
  for (const std::string& line : base::Split(log, '\n'))
    if (!base::Trim(line).empty()) lines.push_back(Shown(line));
  const size_t skipped =
      lines.size() > kMaxEndLines ? lines.size() - kMaxEndLines : 0;
  lines.erase(lines.begin(), lines.begin() + static_cast<int64_t>(skipped));
  return (skipped > 0 ? fmt::format("({} lines before)\n", skipped) : "") +
         fmt::format("{}", fmt::join(lines, "\n"));
}

std::string ErrorExcerpt(const std::string& log, const std::string& file_name,
                         const std::string& source) {
  const std::vector<std::string> source_lines = base::Split(source, '\n');
  std::vector<std::string> found;
  std::set<std::string> seen;
  size_t own_line = 0;  // that the log named last
  for (const std::string& line : base::Split(log, '\n')) {
    if (const size_t named = LineIn(line, file_name); named > 0)
      own_line = named;
    // An error in a header was caused by the line of ours that is named before.
    if (!IsError(line) || !seen.insert(line).second) continue;
    std::string text = Shown(line) + "\n";
    if (own_line > 0 && own_line <= source_lines.size())
      text += Around(source_lines, own_line);
    found.push_back(std::move(text));
    own_line = 0;
  }
  if (found.empty()) return LogEnd(log);
  const size_t more = found.size() > kMaxErrors ? found.size() - kMaxErrors : 0;
  found.resize(std::min(found.size(), kMaxErrors));
  std::string text = fmt::format("{}", fmt::join(found, "\n"));
  if (more > 0) text += fmt::format("\nand {} more\n", more);
  return text;
}

}  // namespace kb::prompt
