#include "fences.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>

#include "base/text.h"
#include "python_strings.h"

namespace kb::prompt {
namespace {

constexpr std::array<std::string_view, 15> kCodeLanguages{
    "python", "py", "python3", "cuda", "cu",    "cpp",      "c++",   "cc",
    "cxx",    "c",  "cuda-c",  "hip",  "cudac", "cuda-cpp", "triton"};

// Each block whose string never ends is read to the end of the answer. After
// this many, quotes are not taken for strings any more.
constexpr int kMaxEndless = 16;

struct Fence {
  char mark = '`';
  size_t length = 0;
  size_t indent = 0;
  std::string language;  // empty in a closing fence
  bool bare = true;      // nothing behind the marks
};

// The fence that `line` is, if it is one.
std::optional<Fence> FenceIn(std::string_view line) {
  Fence fence;
  fence.indent = std::min(line.find_first_not_of(" \t"), line.size());
  line.remove_prefix(fence.indent);
  if (line.empty() || (line[0] != '`' && line[0] != '~')) return std::nullopt;
  fence.mark = line[0];
  fence.length = std::min(line.find_first_not_of(fence.mark), line.size());
  if (fence.length < 3) return std::nullopt;
  const std::string_view info = base::Trim(line.substr(fence.length));
  // ```like this``` is code within a sentence.
  if (fence.mark == '`' && info.find('`') != info.npos) return std::nullopt;
  fence.bare = info.empty();
  for (const char c : info.substr(0, info.find_first_of(" \t{:,")))
    fence.language +=
        static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return fence;
}

bool Closes(const Fence& fence, const Fence& opened) {
  return fence.bare && fence.mark == opened.mark &&
         fence.length >= opened.length;
}

bool NamesCode(const Fence& fence) {
  return std::find(kCodeLanguages.begin(), kCodeLanguages.end(),
                   fence.language) != kCodeLanguages.end();
}

std::string_view WithoutIndent(std::string_view line, size_t indent) {
  size_t spaces = 0;
  while (spaces < indent && spaces < line.size() &&
         (line[spaces] == ' ' || line[spaces] == '\t'))
    ++spaces;
  return line.substr(spaces);
}

class Scanner {
 public:
  explicit Scanner(std::string_view answer)
      : lines_(base::Split(answer, '\n')) {
    if (!lines_.empty() && lines_.back().empty()) lines_.pop_back();
  }

  std::vector<Block> Scan() {
    for (size_t at = 0; at < lines_.size();) {
      const auto fence = FenceIn(lines_[at]);
      ++at;
      if (fence) at = ReadBlock(*fence, at);
    }
    return std::move(blocks_);
  }

 private:
  // From the line behind the opening fence; the line behind the block.
  size_t ReadBlock(const Fence& opened, size_t start) {
    Block block;
    block.language = opened.language;
    block.first_line = start;
    // Where the block ends if no later fence closes it outside of a string.
    std::optional<size_t> within_string;
    size_t kept = 0;
    PythonStrings strings;
    size_t at = start;
    for (; at < lines_.size(); ++at) {
      const auto fence = FenceIn(lines_[at]);
      if (fence && (Closes(*fence, opened) || NamesCode(*fence))) {
        if (!strings.in_triple_quotes() || endless_ == kMaxEndless) {
          block.closed = Closes(*fence, opened);
          block.end_line = at;
          blocks_.push_back(std::move(block));
          return BlockEnd(at, blocks_.back().closed);
        }
        if (!within_string && Closes(*fence, opened)) {
          within_string = at;
          kept = block.text.size();
        }
      }
      const size_t before = block.text.size();
      block.text += WithoutIndent(lines_[at], opened.indent);
      block.text += '\n';
      strings.Add(std::string_view(block.text).substr(before));
    }
    block.end_line = within_string.value_or(at);
    if (within_string) {
      ++endless_;
      block.text.resize(kept);
      block.closed = true;
      at = *within_string + 1;
    }
    blocks_.push_back(std::move(block));
    return at;
  }

  // A closing fence belongs to its block; one that opens the next does not.
  static size_t BlockEnd(size_t fence, bool closed) {
    return closed ? fence + 1 : fence;
  }

  std::vector<std::string> lines_;
  std::vector<Block> blocks_;
  int endless_ = 0;  // blocks that were read to the end of the answer in vain
};

}  // namespace

std::vector<Block> FencedBlocks(std::string_view answer) {
  return Scanner(answer).Scan();
}

}  // namespace kb::prompt
