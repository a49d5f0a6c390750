#include "linux/output_buffer.h"

#include <fmt/format.h>

#include <algorithm>

namespace kb::jail {

void OutputBuffer::Append(std::string_view bytes) {
  total_ += bytes.size();
  const size_t first = std::min(half_ - head_.size(), bytes.size());
  head_.append(bytes.substr(0, first));
  bytes.remove_prefix(first);
  if (bytes.size() > half_) bytes.remove_prefix(bytes.size() - half_);
  tail_.append(bytes);
  if (tail_.size() > 2 * half_) tail_.erase(0, tail_.size() - half_);
}

std::string OutputBuffer::Text() const {
  const size_t kept = std::min(tail_.size(), half_);
  const std::string_view end =
      std::string_view(tail_).substr(tail_.size() - kept);
  const uint64_t left_out = total_ - head_.size() - kept;
  if (left_out == 0) return head_ + std::string(end);
  return fmt::format("{}\n[... {} bytes left out ...]\n{}", head_, left_out,
                     end);
}

}  // namespace kb::jail
