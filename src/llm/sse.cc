#include "sse.h"

#include <utility>

namespace kb::llm {

bool EventParser::Feed(std::string_view piece,
                       const std::function<bool(const Event&)>& on_event) {
  while (!piece.empty()) {
    if (after_cr_ && piece[0] == '\n') piece.remove_prefix(1);
    after_cr_ = false;
    const size_t end = piece.find_first_of("\r\n");
    line_ += piece.substr(0, end);
    if (line_.size() + event_.data.size() > max_event_bytes_) {
      too_long_ = true;
      return false;
    }
    if (end == std::string_view::npos) return true;
    after_cr_ = piece[end] == '\r';
    piece.remove_prefix(end + 1);
    const bool blank = line_.empty();
    TakeLine();
    if (!blank) continue;
    const Event event = std::exchange(event_, Event());
    if (std::exchange(has_data_, false) && !on_event(event)) return false;
  }
  return true;
}

void EventParser::TakeLine() {
  std::string line = std::exchange(line_, std::string());
  if (std::exchange(at_start_, false) && line.starts_with("\xef\xbb\xbf"))
    line.erase(0, 3);
  const size_t colon = line.find(':');
  if (line.empty() || colon == 0) return;
  const std::string name = line.substr(0, colon);
  std::string value =
      colon == std::string::npos ? std::string() : line.substr(colon + 1);
  if (value.starts_with(' ')) value.erase(0, 1);
  if (name == "event") {
    event_.name = std::move(value);
  } else if (name == "data") {
    if (has_data_) event_.data += '\n';
    event_.data += value;
    has_data_ = true;
  }
}

}  // namespace kb::llm
