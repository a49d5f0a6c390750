#include "prompt/extract.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

#include "base/text.h"
#include "fences.h"
#include "source_check/source_text.h"

namespace kb::prompt {
namespace {

using record::GenerationStatus;

constexpr std::string_view kEntry = "kb_forward";
constexpr std::string_view kSpace = " \t\r\n";
constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

enum class Kind { kNone, kPython, kCuda, kCpp };

bool IsWord(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

// And no byte order mark, behind which a fence is none.
std::string UnixLines(std::string_view text) {
  if (text.starts_with(kByteOrderMark))
    text.remove_prefix(kByteOrderMark.size());
  std::string lines;
  lines.reserve(text.size());
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\r')
      lines += text[i];
    else if (i + 1 == text.size() || text[i + 1] != '\n')
      lines += '\n';
  }
  return lines;
}

// What is kept of a text, and whether its last line is blank so far.
class Kept {
 public:
  void Add(std::string_view piece) {
    const size_t newline = piece.rfind('\n');
    if (newline != piece.npos) line_is_blank_ = true;
    const std::string_view line = piece.substr(newline + 1);  // npos + 1 is 0
    line_is_blank_ = line_is_blank_ && base::Trim(line).empty();
    text_ += piece;
  }
  bool line_is_blank() const { return line_is_blank_; }
  std::string Finish() { return std::move(text_); }

 private:
  std::string text_;
  bool line_is_blank_ = true;
};

// The first mark that can end a thought; npos: there is none. Behind other text
// on a line of a closed block, code mentions it.
size_t FirstClose(std::string_view text, std::string_view close) {
  if (text.find(close) == text.npos) return text.npos;
  const std::vector<Block> blocks = FencedBlocks(text);
  auto block = blocks.begin();
  size_t start = 0;  // of the line
  size_t number = 0;
  for (const std::string& line : base::Split(text, '\n')) {
    while (block != blocks.end() && block->end_line <= number) ++block;
    const bool in_code =
        block != blocks.end() && block->closed && block->first_line <= number;
    const size_t at = line.find(close);
    if (at != line.npos && (!in_code || base::Trim(line.substr(0, at)).empty()))
      return start + at;
    start += line.size() + 1;
    ++number;
  }
  return text.npos;
}

std::string WithoutMarks(std::string_view text, const std::string& open,
                         const std::string& close, bool code_mentions) {
  const size_t first_open = text.find(open);
  const size_t first_close =
      code_mentions ? FirstClose(text, close) : text.find(close);
  if (first_close != text.npos && first_close < first_open)
    text.remove_prefix(first_close + close.size());
  Kept kept;
  for (;;) {
    const size_t at = text.find(open);
    kept.Add(text.substr(0, at));
    if (at == text.npos) return kept.Finish();
    text.remove_prefix(at);
    // Only at the start of a line: code may mention the mark.
    size_t end = 1;
    if (kept.line_is_blank()) {
      const size_t closed = text.find(close);
      if (closed == text.npos) return kept.Finish();
      end = closed + close.size();
    } else {
      kept.Add(text.substr(0, end));
    }
    text.remove_prefix(end);
  }
}

// Without what the model thought aloud. Some servers swallow the opening mark,
// and a closing one that is missing means that all the rest is thought.
// `code_mentions`: a closing mark within a block may be the code's.
std::string WithoutThinking(std::string text, bool code_mentions) {
  for (const std::string_view name : {"think", "thinking"})
    text = WithoutMarks(text, fmt::format("<{}>", name),
                        fmt::format("</{}>", name), code_mentions);
  return text;
}

// Whether `class NAME` begins the line, with its parents, a colon or the end of
// all text behind it.
bool Defines(std::string_view whole, std::string_view name) {
  constexpr std::string_view kClass = "class";
  std::string_view line = base::Trim(whole);
  if (!line.starts_with(kClass)) return false;
  line.remove_prefix(kClass.size());
  const std::string_view named = base::Trim(line);
  if (named.size() == line.size() || !named.starts_with(name)) return false;
  const std::string_view rest = base::Trim(named.substr(name.size()));
  return rest.empty() || rest.front() == '(' || rest.front() == ':';
}

// `ModelNew = Fused`, at the start of a line: `Fused`. Empty: it is not so.
std::string_view NamedModelNew(std::string_view line) {
  constexpr std::string_view kName = "ModelNew";
  if (!line.starts_with(kName)) return "";
  std::string_view rest = base::Trim(line.substr(kName.size()));
  if (!rest.starts_with('=')) return "";
  rest = base::Trim(rest.substr(1));
  return std::ranges::all_of(rest, IsWord) ? rest : "";
}

// A line that begins with `class ModelNew`, or gives a class of the text that
// name.
bool HasModelNew(std::string_view text) {
  const std::vector<std::string> lines = base::Split(text, '\n');
  const auto defines = [&](std::string_view name) {
    return std::ranges::any_of(
        lines, [&](const std::string& line) { return Defines(line, name); });
  };
  if (defines("ModelNew")) return true;
  return std::ranges::any_of(lines, [&](const std::string& line) {
    const std::string_view name = NamedModelNew(line);
    return !name.empty() && defines(name);
  });
}

// Where `text` goes on behind white space; npos at its end.
size_t SkipSpace(std::string_view text, size_t at) {
  return text.find_first_not_of(kSpace, at);
}

// The `)` of each `(` by its place; npos elsewhere and where there is none.
std::vector<size_t> ClosesOf(std::string_view code) {
  std::vector<size_t> closes(code.size(), code.npos);
  std::vector<size_t> open;
  for (size_t at = 0; at < code.size(); ++at) {
    if (code[at] == '(') {
      open.push_back(at);
    } else if (code[at] == ')' && !open.empty()) {
      closes[open.back()] = at;
      open.pop_back();
    }
  }
  return closes;
}

// Where `code` goes on behind `word` and white space; `at` if it is not there.
size_t SkipWord(std::string_view code, size_t at, std::string_view word) {
  if (at == code.npos || !code.substr(at).starts_with(word)) return at;
  const size_t end = at + word.size();
  if (end < code.size() && IsWord(word.back()) && IsWord(code[end])) return at;
  return SkipSpace(code, end);
}

// Whether a function's body follows the `)` at `close`.
bool HasBody(std::string_view code, const std::vector<size_t>& closes,
             size_t close) {
  size_t at = SkipSpace(code, close + 1);
  if (const size_t behind = SkipWord(code, at, "noexcept"); behind != at) {
    at = behind;
    if (at != code.npos && code[at] == '(') {
      if (closes[at] == code.npos) return false;
      at = SkipSpace(code, closes[at] + 1);
    }
  }
  // The type that is returned.
  if (SkipWord(code, at, "->") != at) at = code.find_first_of("{;()", at);
  at = SkipWord(code, at, "try");
  return at != code.npos && code[at] == '{';
}

// `kb_forward(...) {`: the definition, and not a declaration or a call, in code
// without comments and strings.
bool HasEntry(std::string_view code) {
  size_t at = code.find(kEntry);
  if (at == code.npos) return false;
  const std::vector<size_t> closes = ClosesOf(code);
  for (; at != code.npos; at = code.find(kEntry, at + 1)) {
    if (at > 0 && IsWord(code[at - 1])) continue;
    const size_t open = SkipSpace(code, at + kEntry.size());
    if (open == code.npos || code[open] != '(') continue;
    if (closes[open] != code.npos && HasBody(code, closes, closes[open]))
      return true;
  }
  return false;
}

bool HasOneOf(std::string_view text,
              std::initializer_list<std::string_view> signs) {
  return std::ranges::any_of(signs, [&](std::string_view sign) {
    return text.find(sign) != text.npos;
  });
}

bool IncludesCuda(std::string_view source) {
  const std::string text =
      source_check::WithoutComments(source, source_check::Language::kCpp);
  return std::ranges::any_of(
      base::Split(text, '\n'), [](const std::string& line) {
        const auto include = source_check::IncludeOf(line);
        return include &&
               HasOneOf(include->name,
                        {"cuda", "cublas", "nvrtc", "mma.h", "thrust/", "cub/",
                         "cutlass/", "cute/", "cooperative_groups", "curand",
                         "cufft", "cusparse", "cusolver", "cudnn"});
      });
}

bool IsCpp(std::string_view language) {
  return language == "cpp" || language == "c++" || language == "cc" ||
         language == "cxx" || language == "c";
}

// A header for both compilers defines __device__ as nothing.
std::string WithoutDirectives(std::string_view code) {
  std::string rest;
  for (const std::string& line : base::Split(code, '\n'))
    if (!base::Trim(line).starts_with('#')) rest += line + '\n';
  return rest;
}

// The label is the model's word for it, but kernels and CUDA's headers need
// nvcc whatever it is. Words of CUDA that a compiler does not see say nothing.
bool IsCuda(std::string_view source, std::string_view code,
            std::string_view language) {
  if (language == "cuda" || language == "cu") return true;
  if (HasOneOf(code, {"__global__", "<<<", "cudaStream_t"}) ||
      IncludesCuda(source))
    return true;
  return HasOneOf(IsCpp(language) ? WithoutDirectives(code) : code,
                  {"__device__"}) ||
         (!IsCpp(language) && HasOneOf(code, {"cublas"}));
}

Kind KindOf(std::string_view text, std::string_view language) {
  if (HasModelNew(text)) return Kind::kPython;
  const std::string code =
      source_check::CodeOnly(text, source_check::Language::kCpp);
  if (!HasEntry(code)) return Kind::kNone;
  return IsCuda(text, code, language) ? Kind::kCuda : Kind::kCpp;
}

const char* FileName(Kind kind) {
  if (kind == Kind::kPython) return "answer.py";
  return kind == Kind::kCuda ? "answer.cu" : "answer.cpp";
}

Extracted Found(GenerationStatus status, std::string reason, Kind kind,
                std::string source) {
  Extracted extracted;
  extracted.status = status;
  extracted.reason = std::move(reason);
  extracted.file_name = FileName(kind);
  extracted.source = std::move(source);
  return extracted;
}

Extracted Missing(GenerationStatus status, std::string reason) {
  Extracted extracted;
  extracted.status = status;
  extracted.reason = std::move(reason);
  return extracted;
}

// The last closed block with a ModelNew, else the last with a kb_forward.
const Block* LastCandidate(const std::vector<Block>& blocks) {
  const Block* native = nullptr;
  for (auto block = blocks.rbegin(); block != blocks.rend(); ++block) {
    if (!block->closed) continue;
    const Kind kind = KindOf(block->text, block->language);
    if (kind == Kind::kPython) return &*block;
    if (kind != Kind::kNone && native == nullptr) native = &*block;
  }
  return native;
}

// Whether the first line that says something could be of a source file.
bool StartsAsCode(std::string_view text) {
  constexpr std::array<std::string_view, 31> kStarts{
      "import ",   "from ",   "#",        "\"\"\"",     "'''",       "r\"\"\"",
      "r'''",      "class ",  "def ",     "@",          "try:",      "//",
      "/*",        "extern ", "using ",   "namespace ", "template",  "static ",
      "inline ",   "auto ",   "typedef ", "struct ",    "enum ",     "int ",
      "void ",     "float ",  "double ",  "bool ",      "unsigned ", "__",
      "constexpr "};
  const std::string_view start = base::Trim(text);
  // "# Answer" is a heading of Markdown unless Python follows; with a
  // candidate in it and no fence, it can only be a comment.
  return std::any_of(kStarts.begin(), kStarts.end(),
                     [&](std::string_view s) { return start.starts_with(s); });
}

std::string CutOff(llm::Finish finish) {
  return finish == llm::Finish::kLength
             ? "the answer ends within its code: the token limit was reached"
             : "the answer ends within its code";
}

// What lies in no fence.
std::string Outside(const std::string& text, const std::vector<Block>& blocks) {
  std::string outside;
  auto block = blocks.begin();
  size_t number = 0;
  for (const std::string& line : base::Split(text, '\n')) {
    while (block != blocks.end() && block->end_line <= number) ++block;
    if (block == blocks.end() || number < block->first_line)
      outside += line + '\n';
    ++number;
  }
  return outside;
}

// A file whose comments show an example in a fence.
bool IsFileWithExample(const std::string& text,
                       const std::vector<Block>& blocks) {
  return std::ranges::all_of(blocks, &Block::closed) && StartsAsCode(text) &&
         KindOf(Outside(text, blocks), "") != Kind::kNone;
}

// Code without fences.
std::optional<Extracted> FromWhole(const std::string& text,
                                   llm::Finish finish) {
  const Kind kind = KindOf(text, "");
  if (!StartsAsCode(text)) return std::nullopt;
  if (finish == llm::Finish::kLength)
    return Found(GenerationStatus::kTruncated, CutOff(finish),
                 kind == Kind::kNone ? Kind::kPython : kind, text);
  if (kind == Kind::kNone) return std::nullopt;
  return Found(GenerationStatus::kComplete, "", kind, text);
}

Kind GuessOf(const Block& block) {
  const Kind kind = KindOf(block.text, block.language);
  if (kind != Kind::kNone) return kind;
  if (block.language == "cuda" || block.language == "cu") return Kind::kCuda;
  if (block.language.starts_with('c')) return Kind::kCpp;
  return Kind::kPython;
}

std::string WhyNone(const std::vector<Block>& blocks, const std::string& text) {
  if (base::Trim(text).empty()) return "the answer is empty";
  if (blocks.empty()) return "the answer has no code block";
  return fmt::format(
      "none of the answer's {} code block{} has a class ModelNew or a "
      "kb_forward",
      blocks.size(), blocks.size() == 1 ? "" : "s");
}

Extracted ExtractFrom(const std::string& text, llm::Finish finish) {
  const std::vector<Block> blocks = FencedBlocks(text);
  if (const Block* block = LastCandidate(blocks))
    return Found(GenerationStatus::kComplete, "",
                 KindOf(block->text, block->language), block->text);
  if (finish == llm::Finish::kRefused)
    return Missing(GenerationStatus::kRefused,
                   "the model or its provider refused to answer");
  if (blocks.empty() || IsFileWithExample(text, blocks))
    if (auto whole = FromWhole(text, finish)) return *whole;
  if (!blocks.empty() && !blocks.back().closed)
    return Found(GenerationStatus::kTruncated, CutOff(finish),
                 GuessOf(blocks.back()), blocks.back().text);
  if (finish == llm::Finish::kLength)
    return Missing(GenerationStatus::kTruncated,
                   "the token limit was reached before any code");
  return Missing(GenerationStatus::kNoCode, WhyNone(blocks, text));
}

}  // namespace

Extracted ExtractCode(std::string_view answer, llm::Finish finish) {
  const std::string lines = UnixLines(answer);
  const std::string text = WithoutThinking(lines, true);
  Extracted found = ExtractFrom(text, finish);
  if (found.status == GenerationStatus::kComplete) return found;
  // The thought may have opened a block that it never closed.
  const std::string rest = WithoutThinking(lines, false);
  if (rest == text) return found;
  Extracted other = ExtractFrom(rest, finish);
  return other.status == GenerationStatus::kComplete ? other : found;
}

}  // namespace kb::prompt
