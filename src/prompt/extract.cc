#include "prompt/extract.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <string>
#include <vector>

#include "base/text.h"
#include "fences.h"

namespace kb::prompt {
namespace {

using record::GenerationStatus;

constexpr std::string_view kEntry = "kb_forward";
constexpr std::string_view kSpace = " \t\r\n";

enum class Kind { kNone, kPython, kCuda, kCpp };

bool IsWord(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

std::string UnixLines(std::string_view text) {
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

std::string WithoutMarks(std::string_view text, const std::string& open,
                         const std::string& close) {
  const size_t first_open = text.find(open);
  const size_t first_close = text.find(close);
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
std::string WithoutThinking(std::string text) {
  for (const std::string_view name : {"think", "thinking"})
    text = WithoutMarks(text, fmt::format("<{}>", name),
                        fmt::format("</{}>", name));
  return text;
}

// A line that begins with `class ModelNew`.
bool HasModelNew(std::string_view text) {
  constexpr std::string_view kClass = "class";
  constexpr std::string_view kName = "ModelNew";
  for (const std::string& whole : base::Split(text, '\n')) {
    std::string_view line = base::Trim(whole);
    if (!line.starts_with(kClass)) continue;
    line.remove_prefix(kClass.size());
    const std::string_view name = base::Trim(line);
    if (name.size() != line.size() && name.starts_with(kName) &&
        (name.size() == kName.size() || !IsWord(name[kName.size()])))
      return true;
  }
  return false;
}

// Where `text` goes on behind white space; npos at its end.
size_t SkipSpace(std::string_view text, size_t at) {
  return text.find_first_not_of(kSpace, at);
}

// Whether a body follows the `)` at `close`.
bool HasBody(std::string_view text, size_t close) {
  constexpr std::string_view kNoexcept = "noexcept";
  size_t at = SkipSpace(text, close + 1);
  if (at != text.npos && text.substr(at).starts_with(kNoexcept))
    at = SkipSpace(text, at + kNoexcept.size());
  return at != text.npos && text[at] == '{';
}

// `kb_forward(...) {`: the definition, and not a declaration or a call.
bool HasEntry(std::string_view text) {
  size_t close = 0;  // of the name before, or where the text begins
  for (size_t at = text.find(kEntry); at != text.npos;
       at = text.find(kEntry, at + 1)) {
    if (at > 0 && IsWord(text[at - 1])) continue;
    const size_t open = SkipSpace(text, at + kEntry.size());
    if (open == text.npos || text[open] != '(') continue;
    // Many names may stand before the same `)`, which has been looked at then.
    if (close > open) continue;
    close = text.find(')', open);
    if (close == text.npos) return false;
    if (HasBody(text, close)) return true;
  }
  return false;
}

bool HasCuda(std::string_view text) {
  for (const std::string_view sign :
       {"__global__", "__device__", "<<<", "cuda_runtime", "cudaStream_t",
        "cuda_fp16", "cuda_bf16", "mma.h", "cublas"})
    if (text.find(sign) != text.npos) return true;
  return false;
}

Kind KindOf(std::string_view text, std::string_view language) {
  if (HasModelNew(text)) return Kind::kPython;
  if (!HasEntry(text)) return Kind::kNone;
  // The label is the model's word for it, but kernels need nvcc whatever it is.
  if (HasCuda(text) || language == "cuda" || language == "cu")
    return Kind::kCuda;
  return Kind::kCpp;
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
  constexpr std::array<std::string_view, 21> kStarts{
      "import ", "from ",      "#",         "\"\"\"",   "'''",     "class ",
      "def ",    "@",          "//",        "/*",       "extern ", "namespace ",
      "using ",  "template",   "static ",   "typedef ", "struct ", "int ",
      "void ",   "__global__", "constexpr "};
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

}  // namespace

Extracted ExtractCode(std::string_view answer, llm::Finish finish) {
  const std::string text = WithoutThinking(UnixLines(answer));
  const std::vector<Block> blocks = FencedBlocks(text);
  if (const Block* block = LastCandidate(blocks))
    return Found(GenerationStatus::kComplete, "",
                 KindOf(block->text, block->language), block->text);
  if (finish == llm::Finish::kRefused)
    return Missing(GenerationStatus::kRefused,
                   "the model or its provider refused to answer");
  if (blocks.empty())
    if (auto whole = FromWhole(text, finish)) return *whole;
  if (!blocks.empty() && !blocks.back().closed)
    return Found(GenerationStatus::kTruncated, CutOff(finish),
                 GuessOf(blocks.back()), blocks.back().text);
  if (finish == llm::Finish::kLength)
    return Missing(GenerationStatus::kTruncated,
                   "the token limit was reached before any code");
  return Missing(GenerationStatus::kNoCode, WhyNone(blocks, text));
}

}  // namespace kb::prompt
