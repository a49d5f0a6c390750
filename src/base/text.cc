#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace kb::base {
namespace {

// Length of the UTF-8 sequence at text[i], 0 when it is not valid.
size_t SequenceLength(std::string_view text, size_t i) {
  const auto byte = [&](size_t k) {
    return static_cast<unsigned char>(text[k]);
  };
  const unsigned char lead = byte(i);
  const size_t length = lead < 0x80             ? 1
                        : (lead & 0xe0) == 0xc0 ? 2
                        : (lead & 0xf0) == 0xe0 ? 3
                        : (lead & 0xf8) == 0xf0 ? 4
                                                : 0;
  if (length == 0 || i + length > text.size()) return 0;
  if (lead == 0xc0 || lead == 0xc1 || lead > 0xf4) return 0;
  for (size_t k = 1; k < length; ++k)
    if ((byte(i + k) & 0xc0) != 0x80) return 0;
  if (length < 3) return length;
  const unsigned char second = byte(i + 1);
  const bool overlong =
      (lead == 0xe0 && second < 0xa0) || (lead == 0xf0 && second < 0x90);
  const bool surrogate = lead == 0xed && second >= 0xa0;
  const bool beyond = lead == 0xf4 && second >= 0x90;  // U+10FFFF
  return overlong || surrogate || beyond ? 0 : length;
}

// `around` stands on both sides of what says how much is gone.
std::string Cut(std::string_view text, size_t max_bytes,
                std::string_view around) {
  if (text.size() <= max_bytes) return std::string(text);
  // Between two characters of UTF-8.
  const auto is_inside = [&](size_t at) {
    return (static_cast<unsigned char>(text[at]) & 0xc0) == 0x80;
  };
  constexpr size_t kLongest = 4;
  size_t head = max_bytes / 2;
  size_t tail = text.size() - max_bytes / 2;
  for (size_t i = 1; i < kLongest && head > 0 && is_inside(head); ++i) --head;
  for (size_t i = 1; i < kLongest && tail < text.size() && is_inside(tail); ++i)
    ++tail;
  return fmt::format("{}{}[... {} bytes left out ...]{}{}",
                     text.substr(0, head), around, tail - head, around,
                     text.substr(tail));
}

}  // namespace

bool IsOfName(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

std::vector<std::string> Split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  size_t start = 0;
  for (size_t i = 0; i <= text.size(); ++i) {
    if (i == text.size() || text[i] == separator) {
      parts.emplace_back(text.substr(start, i - start));
      start = i + 1;
    }
  }
  return parts;
}

std::string_view Trim(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r\n";
  const size_t first = text.find_first_not_of(kSpace);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kSpace) - first + 1);
}

std::string_view LastLine(std::string_view text) {
  const std::string_view trimmed = Trim(text);
  return Trim(trimmed.substr(trimmed.rfind('\n') + 1));
}

std::string Shorten(std::string_view text, size_t max_bytes) {
  return Cut(text, max_bytes, "\n");
}

std::string OneLine(std::string_view text) {
  std::string line(text);
  std::ranges::replace_if(
      line, [](char c) { return c == '\n' || c == '\r'; }, ' ');
  return line;
}

std::string Gist(std::string_view error) {
  const bool traceback =
      error.find("Traceback (most recent call last)") != std::string_view::npos;
  return traceback ? std::string(LastLine(error)) : OneLine(Trim(error));
}

std::string ShortenLine(std::string_view line, size_t max_bytes) {
  return Cut(line, max_bytes, " ");
}

std::string Printable(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (size_t i = 0; i < text.size();) {
    const size_t length = SequenceLength(text, i);
    if (length == 0) {
      out += '?';
      ++i;
      continue;
    }
    const auto c = static_cast<unsigned char>(text[i]);
    // C1 controls (U+0080..U+009F) are escape sequences to some terminals.
    const bool c1 = length == 2 && c == 0xc2 &&
                    static_cast<unsigned char>(text[i + 1]) < 0xa0;
    const bool control = (c < 0x20 && c != '\n' && c != '\t') || c == 0x7f;
    if (!control && !c1) out += text.substr(i, length);
    i += length;
  }
  return out;
}

}  // namespace kb::base
