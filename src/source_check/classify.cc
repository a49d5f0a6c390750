#include "source_check/classify.h"

#include <array>
#include <string_view>

#include "base/text.h"
#include "source_check/source_text.h"

namespace kb::source_check {
namespace {

using record::Backend;
using record::Track;

struct Ending {
  std::string_view ending;
  Track track;
  Backend backend;  // of a native candidate
};
constexpr std::array<Ending, 4> kEndings{{
    {".py", Track::kPython, Backend::kTorch},
    {".cu", Track::kNative, Backend::kCuda},
    {".cpp", Track::kNative, Backend::kCpp},
    {".cc", Track::kNative, Backend::kCpp},
}};

// `word` with no letter, digit or underscore behind it, so that .cu is not
// found in .cuda().
bool Mentions(std::string_view text, std::string_view word) {
  for (size_t at = text.find(word); at != std::string_view::npos;
       at = text.find(word, at + 1)) {
    const size_t end = at + word.size();
    if (end == text.size() || !base::IsOfName(text[end])) return true;
  }
  return false;
}

bool ImportsTriton(const std::vector<Token>& tokens) {
  bool in_import = false;
  for (const Token& token : tokens) {
    if (token.first) in_import = token.text == "import" || token.text == "from";
    if (in_import && token.text == "triton") return true;
  }
  return false;
}

Backend PythonBackend(const std::string& source, bool builds_extension) {
  const std::string code = CodeOnly(source, Language::kPython);
  if (ImportsTriton(Tokenize(code))) return Backend::kTriton;
  // CUDA source is a string of the Python file, so strings count.
  const std::string text = WithoutComments(source, Language::kPython);
  for (const std::string_view sign : {"cuda_sources", "__global__", ".cu"})
    if (Mentions(text, sign)) return Backend::kCuda;
  return builds_extension ? Backend::kCpp : Backend::kTorch;
}

}  // namespace

base::Result<record::Candidate> Classify(const std::string& path,
                                         const std::string& source) {
  record::Candidate candidate;
  candidate.path = path;
  candidate.name = path.substr(path.rfind('/') + 1);
  candidate.source = source;
  for (const Ending& row : kEndings) {
    if (!candidate.name.ends_with(row.ending)) continue;
    candidate.track = row.track;
    candidate.backend = row.backend;
    if (row.track == Track::kPython) {
      const std::string text = WithoutComments(source, Language::kPython);
      candidate.builds_extension =
          Mentions(text, "load_inline") || Mentions(text, "cpp_extension");
      candidate.backend = PythonBackend(source, candidate.builds_extension);
    }
    return candidate;
  }
  return base::Usage(
      "{}: a kernel is a .py file with a class ModelNew, or a .cu, .cpp or .cc "
      "file with kb_forward (kernelbench/candidate.h)",
      path);
}

}  // namespace kb::source_check
