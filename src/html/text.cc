#include "html/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>

namespace kb::html {
namespace {

struct Decoded {
  uint32_t code;
  size_t length;  // bytes; 0: not valid UTF-8
};

// Unicode 15, table 3-7: no overlong forms, no surrogates, nothing above
// U+10FFFF.
Decoded Decode(std::string_view text) {
  const auto byte = [&](size_t i) {
    return static_cast<unsigned char>(text[i]);
  };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  const size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || text.size() < length) return {0, 0};
  uint32_t code = lead & (0x7fu >> length);
  for (size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return {0, 0};
    code = code << 6 | (byte(i) & 0x3fu);
  }
  constexpr std::array<uint32_t, 5> kSmallest{0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = code >= 0xd800 && code <= 0xdfff;
  if (code < kSmallest[length] || code > 0x10ffff || surrogate) return {0, 0};
  return {code, length};
}

// Characters that show nothing or change the order of what is shown.
bool Hides(uint32_t code) {
  struct Range {
    uint32_t first, last;
  };
  static constexpr std::array<Range, 14> kRanges{{
      {0x00, 0x08},        // C0 controls but tab
      {0x0b, 0x1f},        //   and newline
      {0x7f, 0x9f},        // delete and C1 controls
      {0xad, 0xad},        // soft hyphen
      {0x061c, 0x061c},    // Arabic letter mark
      {0x115f, 0x1160},    // Hangul fillers
      {0x180e, 0x180e},    // Mongolian vowel separator
      {0x200b, 0x200f},    // zero width, left-to-right and right-to-left marks
      {0x2028, 0x202e},    // separators, embeddings and overrides
      {0x2060, 0x206f},    // word joiner, isolates, deprecated format controls
      {0x3164, 0x3164},    // Hangul filler
      {0xfeff, 0xfeff},    // byte order mark
      {0xfff0, 0xfffb},    // interlinear annotation
      {0xe0000, 0xe0fff},  // tags and further variation selectors
  }};
  return std::any_of(kRanges.begin(), kRanges.end(), [&](const Range& range) {
    return code >= range.first && code <= range.last;
  });
}

void AppendVisible(std::string_view text, std::string* out) {
  for (size_t i = 0; i < text.size();) {
    const auto [code, length] = Decode(text.substr(i));
    if (length == 0) {
      *out += fmt::format("<\\x{:02x}>", static_cast<unsigned char>(text[i]));
      ++i;
      continue;
    }
    const bool newline_follows = text.substr(i + length).starts_with('\n');
    if (code == '\r' && newline_follows) {
      // A line end as Windows writes it.
    } else if (Hides(code)) {
      *out += fmt::format("<U+{:04X}>", code);
    } else {
      out->append(text, i, length);
    }
    i += length;
  }
}

}  // namespace

std::string Visible(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  AppendVisible(text, &out);
  return out;
}

std::string VisibleLine(std::string_view text) {
  std::string line = Visible(text);
  for (char& c : line)
    if (c == '\n' || c == '\t') c = ' ';
  return line;
}

std::string EscapeHtml(std::string_view text) {
  std::string out;
  out.reserve(text.size() + text.size() / 8);
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

size_t Columns(std::string_view text) {
  return static_cast<size_t>(std::count_if(
      text.begin(), text.end(),
      [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

std::string CutToColumns(std::string_view text, size_t columns) {
  if (Columns(text) <= columns) return std::string(text);
  if (columns == 0) return {};
  size_t end = 0;
  for (size_t left = columns - 1; left > 0; --left)
    end += Decode(text.substr(end)).length;
  return std::string(text.substr(0, end)) + "\xe2\x80\xa6";
}

}  // namespace kb::html
