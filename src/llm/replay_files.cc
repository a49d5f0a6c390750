#include "replay_files.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <string_view>

#include "base/text.h"
#include "os/walk.h"

namespace kb::llm {
namespace {

namespace fs = std::filesystem;
using base::Result;

constexpr std::array<std::string_view, 4> kCode{".py", ".cu", ".cpp", ".cc"};
constexpr std::array<std::string_view, 2> kProse{".md", ".txt"};
// Beside an answer of the original: what was asked, with code in it.
constexpr std::string_view kPrompt = "_prompt.txt";
constexpr size_t kMaxFiles = 1000000;
constexpr size_t kHeaderBytes = 4096;

template <size_t N>
bool EndsWithOne(const std::string& path,
                 const std::array<std::string_view, N>& endings) {
  return std::any_of(endings.begin(), endings.end(),
                     [&](std::string_view end) { return path.ends_with(end); });
}

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// sample_2 before sample_10.
bool Before(const std::string& a, const std::string& b) {
  size_t i = 0;
  size_t j = 0;
  while (i < a.size() && j < b.size()) {
    if (!IsDigit(a[i]) || !IsDigit(b[j])) {
      if (a[i] != b[j]) return a[i] < b[j];
      ++i, ++j;
      continue;
    }
    const auto number = [](const std::string& text, size_t* at) {
      const size_t start =
          std::min(text.find_first_not_of('0', *at), text.size());
      *at = start;
      while (*at < text.size() && IsDigit(text[*at])) ++*at;
      return std::string_view(text).substr(start, *at - start);
    };
    const std::string_view x = number(a, &i);
    const std::string_view y = number(b, &j);
    if (x.size() != y.size()) return x.size() < y.size();
    if (x != y) return x < y;
  }
  if (i == a.size() && j == b.size()) return a < b;
  return i == a.size();
}

std::string StartOf(const std::string& path) {
  std::string bytes(kHeaderBytes, '\0');
  std::ifstream file(path, std::ios::binary);
  file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  bytes.resize(static_cast<size_t>(file.gcount()));
  return bytes;
}

bool IsSeparator(char c) { return c == '/' || c == '_' || c == '-'; }

// `words` in `path` as whole words: not within a longer name or number.
bool Mentions(const std::string& path, const std::string& words) {
  for (size_t at = path.find(words); at != std::string::npos;
       at = path.find(words, at + 1)) {
    const size_t end = at + words.size();
    const bool starts = at == 0 || IsSeparator(path[at - 1]);
    const bool ends =
        end == path.size() || IsSeparator(path[end]) || path[end] == '.';
    if (starts && ends) return true;
  }
  return false;
}

// Takes "turn_2" out of the path, if it is there.
void FindTurn(ReplayFile* file) {
  constexpr std::string_view kWord = "turn_";
  constexpr size_t kMostDigits = 6;
  file->sample = file->path;
  const size_t at = file->path.rfind(kWord);
  if (at == std::string::npos || (at > 0 && !IsSeparator(file->path[at - 1])))
    return;
  size_t end = at + kWord.size();
  int64_t turn = 0;
  while (end < file->path.size() && IsDigit(file->path[end]) &&
         end - at - kWord.size() < kMostDigits)
    turn = 10 * turn + (file->path[end++] - '0');
  if (turn == 0) return;
  file->turn = turn;
  // The extension may differ from turn to turn.
  const bool ends_the_name = file->path.find('/', end) == std::string::npos &&
                             file->path.rfind('.') == end;
  file->sample.erase(at, ends_the_name ? std::string::npos : end - at);
}

}  // namespace

std::string ProblemInHeader(const std::string& source) {
  for (const std::string& line : base::Split(source, '\n')) {
    std::string_view text = base::Trim(line);
    if (text.starts_with("//"))
      text.remove_prefix(2);
    else if (text.starts_with('#') && !text.starts_with("#include"))
      text.remove_prefix(1);
    else
      break;
    text = base::Trim(text);
    constexpr std::string_view kWord = "problem:";
    if (text.starts_with(kWord))
      return std::string(base::Trim(text.substr(kWord.size())));
  }
  return "";
}

bool IsProse(const std::string& path) { return EndsWithOne(path, kProse); }

bool Answers(const ReplayFile& file, const std::string& problem_id) {
  if (!file.problem.empty()) return file.problem == problem_id;
  if (Mentions(file.path, problem_id)) return true;
  const size_t slash = problem_id.rfind('/');
  if (slash == std::string::npos) return false;
  std::string pack = problem_id.substr(0, slash);
  const std::string number = problem_id.substr(slash + 1);
  // v3/level1/4 may be written v3_level1_4.
  std::replace(pack.begin(), pack.end(), '/', '_');
  if (Mentions(file.path, fmt::format("{}_{}", pack, number))) return true;
  // As the original KernelBench names its answers.
  if (!pack.starts_with("level")) return false;
  return Mentions(file.path,
                  fmt::format("level_{}_problem_{}", pack.substr(5), number));
}

Result<std::vector<ReplayFile>> ListReplay(const std::string& folder) {
  const auto found = os::FilesBelow(folder, [](const std::string& path) {
    return (EndsWithOne(path, kCode) || IsProse(path)) &&
           !path.ends_with(kPrompt);
  });
  if (!found) return base::Propagate(found.error().Wrap("replay"));
  if (found->size() > kMaxFiles)
    return base::Usage("{} has more than {} files; give a folder of answers",
                       folder, kMaxFiles);
  std::vector<ReplayFile> files;
  for (const std::string& full : *found) {
    ReplayFile& file = files.emplace_back();
    file.path = fs::path(full).lexically_relative(folder).string();
    if (EndsWithOne(full, kCode)) file.problem = ProblemInHeader(StartOf(full));
    FindTurn(&file);
  }
  std::sort(files.begin(), files.end(),
            [](const ReplayFile& a, const ReplayFile& b) {
              return Before(a.path, b.path);
            });
  return files;
}

}  // namespace kb::llm
