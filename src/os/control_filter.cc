#include "control_filter.h"

namespace kb::os {
namespace {

constexpr char kEscape = '\x1b';
constexpr char kC1Lead = '\xc2';  // of U+0080 to U+00BF in UTF-8
constexpr size_t kLongest = 16;

bool IsControl(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return (byte < 0x20 && c != '\n' && c != '\t' && c != '\r') || byte == 0x7f;
}

}  // namespace

std::string ControlFilter::Pass(std::string_view piece) {
  std::string out;
  out.reserve(piece.size());
  for (const char c : piece) Take(c, &out);
  return out;
}

void ControlFilter::Take(char c, std::string* out) {
  if (!held_.empty() && Continues(c, out)) return;
  if (c == kEscape || c == kC1Lead)
    held_ = c;
  else if (!IsControl(c))
    *out += c;
}

// Whether `c` belongs to what is held back. Else that is over, and gone unless
// it was a letter.
bool ControlFilter::Continues(char c, std::string* out) {
  if (held_.front() == kC1Lead) {
    const auto byte = static_cast<unsigned char>(c);
    const bool control = byte >= 0x80 && byte < 0xa0;
    if (!control) *out += kC1Lead;
    held_.clear();
    return control;
  }
  const bool parameter = (c >= '0' && c <= '9') || c == ';';
  if ((held_.size() == 1 && c == '[') ||
      (held_.size() > 1 && held_.size() < kLongest && parameter)) {
    held_ += c;
    return true;
  }
  const bool ours = held_.size() > 1 && (c == 'm' || c == 'K' || c == 'A');
  if (ours) *out += held_ + c;
  const bool ends = held_.size() > 1 && c >= '@' && c <= '~';
  held_.clear();
  return ends;
}

}  // namespace kb::os
