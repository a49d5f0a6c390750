#include "candidates.h"

#include <glob.h>
#include <strings.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <set>

#include "base/text.h"
#include "interop/original.h"
#include "os/files.h"
#include "os/walk.h"
#include "prompt/extract.h"
#include "source_check/classify.h"
#include "source_check/source_text.h"

namespace kb::cli {
namespace {

namespace fs = std::filesystem;
using base::Result;

constexpr uint64_t kMaxBytes = uint64_t{4} << 20;
constexpr const char* kStandardInput = "-";

bool IsKernel(const fs::path& path) {
  constexpr std::array<const char*, 4> kEndings{".py", ".cu", ".cpp", ".cc"};
  return std::ranges::find(kEndings, path.extension().string()) !=
         kEndings.end();
}

bool IsHidden(const std::string& path) {
  const std::string name = fs::path(path).filename();
  return name.starts_with(".") || name == "__pycache__";
}

bool Holds(const std::string& path, const char* ending) {
  return fs::path(path).extension() == ending;
}

bool IsProse(const std::string& path) {
  return Holds(path, ".md") || Holds(path, ".txt");
}

// A text that may hold a kernel. A README that shows one is not meant, nor is
// what the original asked a model (its log_prompt).
bool MayBeAnswer(const fs::path& path) {
  return IsProse(path) && strcasecmp(path.stem().c_str(), "readme") != 0 &&
         !path.string().ends_with("_prompt.txt");
}

bool HoldsKernel(const std::string& text) {
  return prompt::ExtractCode(text, llm::Finish::kStop).status ==
         record::GenerationStatus::kComplete;
}

Result<std::vector<std::string>> KernelsBelow(const std::string& folder) {
  KB_ASSIGN(const auto found, os::FilesBelow(
                                  folder,
                                  [](const std::string& path) {
                                    return IsKernel(path) || MayBeAnswer(path);
                                  },
                                  IsHidden));
  std::vector<std::string> paths;
  for (const std::string& path : found) {
    if (!IsKernel(path)) {
      const auto text = os::ReadFile(path, kMaxBytes);
      // One that is too large is none.
      if (!text && access(path.c_str(), R_OK) != 0)
        return base::Usage("{}", text.error().message());
      if (!text || !HoldsKernel(*text)) continue;
    }
    paths.push_back(path);
  }
  if (paths.empty())
    return base::Usage(
        "{}: below this folder is no .py, .cu, .cpp or .cc file, and no .md "
        "or .txt with a kernel in it",
        folder);
  return paths;
}

// Sorted; empty when nothing matches.
std::vector<std::string> Matches(const std::string& pattern) {
  glob_t found{};
  const std::unique_ptr<glob_t, decltype(&globfree)> owner(&found, globfree);
  if (glob(pattern.c_str(), GLOB_TILDE, nullptr, &found) != 0) return {};
  return {found.gl_pathv, found.gl_pathv + found.gl_pathc};
}

Result<std::vector<std::string>> Expand(const std::string& word) {
  std::error_code error;
  if (word == kStandardInput) return std::vector{word};
  if (fs::is_directory(word, error)) return KernelsBelow(word);
  KB_TRY(os::CheckLink(word));
  if (fs::exists(word, error)) return std::vector{word};
  if (word.find_first_of("*?[") == std::string::npos)
    return base::Usage("{}: there is no such file", word);
  std::vector<std::string> paths = Matches(word);
  if (paths.empty()) return base::Usage("{}: no file matches", word);
  return paths;
}

// Whether the text can be anything, and its path does not say what.
bool IsText(const std::string& path) {
  return path.empty() || path == kStandardInput || IsProse(path);
}

Result<std::string> ReadStandardInput() {
  std::string text;
  std::array<char, 1 << 16> part{};
  for (size_t n = 0;
       (n = std::fread(part.data(), 1, part.size(), stdin)) > 0;) {
    text.append(part.data(), n);
    if (text.size() > kMaxBytes)
      return base::Fail("standard input holds more than {} bytes", kMaxBytes);
  }
  return text;
}

// Without the ending of `path`, which is a text's.
std::string NamedAs(const std::string& path, const std::string& answer) {
  const std::string stem = path == kStandardInput ? "stdin"
                           : path.empty()         ? "candidate"
                                          : fs::path(path).stem().string();
  return stem + fs::path(answer).extension().string();
}

// Where a name is defined or assigned at the top level.
bool Defines(const record::Candidate& candidate, std::string_view name) {
  const std::string code =
      source_check::CodeOnly(candidate.source, source_check::Language::kPython);
  const std::vector<source_check::Token> tokens = source_check::Tokenize(code);
  for (size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i].text != name) continue;
    if (tokens[i].first && tokens[i].indent == 0) return true;  // Name = ...
    if (i == 0) continue;
    const std::string_view before = tokens[i - 1].text;
    if (before == "class" || before == "def" || before == "import" ||
        before == "as" || before == ",")
      return true;
  }
  return false;
}

}  // namespace

Result<std::vector<std::string>> ExpandCandidates(
    const std::vector<std::string>& words) {
  std::vector<std::string> paths;
  std::set<std::string> seen;
  for (const std::string& word : words) {
    KB_ASSIGN(const std::vector<std::string> found, Expand(word));
    for (const std::string& path : found)
      if (seen.insert(path).second) paths.push_back(path);
  }
  return paths;
}

Result<record::Candidate> CandidateIn(const std::string& path,
                                      const std::string& text) {
  if (!IsText(path)) return source_check::Classify(path, text);
  const std::string said = path.empty() ? "the text" : path;
  const prompt::Extracted code = prompt::ExtractCode(text, llm::Finish::kStop);
  if (code.status == record::GenerationStatus::kComplete) {
    KB_ASSIGN(
        record::Candidate candidate,
        source_check::Classify(NamedAs(path, code.file_name), code.source));
    if (!path.empty()) candidate.path = path;
    return candidate;
  }
  // Plain Python whose class is called Model.
  KB_ASSIGN(record::Candidate plain,
            source_check::Classify(NamedAs(path, "x.py"), text));
  if (!path.empty()) plain.path = path;
  if (text.find("```") == std::string::npos && Defines(plain, "Model"))
    return plain;
  return base::Usage("{}: {}", said, code.reason);
}

Result<record::Candidate> ReadCandidate(const std::string& path) {
  const auto text = path == kStandardInput ? ReadStandardInput()
                                           : os::ReadFile(path, kMaxBytes);
  if (!text) return base::Usage("{}", text.error().message());
  return CandidateIn(path, *text);
}

Result<std::vector<record::Candidate>> ReadCandidates(
    const std::vector<std::string>& words) {
  KB_ASSIGN(const std::vector<std::string> paths, ExpandCandidates(words));
  std::vector<record::Candidate> candidates;
  for (const std::string& path : paths) {
    KB_ASSIGN(record::Candidate candidate, ReadCandidate(path));
    candidates.push_back(std::move(candidate));
  }
  return candidates;
}

std::string EntryOf(const record::Candidate& candidate) {
  if (candidate.track == record::Track::kPython &&
      !Defines(candidate, "ModelNew") && Defines(candidate, "Model"))
    return "Model";
  return "ModelNew";
}

std::string ProblemOf(const record::Candidate& candidate) {
  for (const std::string& line : base::Split(candidate.source, '\n')) {
    std::string_view text = base::Trim(line);
    if (text.empty()) continue;
    if (!text.starts_with("#") && !text.starts_with("//")) break;
    text.remove_prefix(std::min(text.find_first_not_of("#/!"), text.size()));
    text = base::Trim(text);
    constexpr std::string_view kKey = "problem:";
    if (text.starts_with(kKey))
      return std::string(base::Trim(text.substr(kKey.size())));
  }
  return interop::ProblemOfKernel(candidate.name);
}

}  // namespace kb::cli
