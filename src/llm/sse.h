#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace kb::llm {

// One server-sent event.
struct Event {
  std::string name;  // of its `event:` line; may be empty
  std::string data;  // its `data:` lines, joined by newlines
};

// Cuts a stream of bytes, in pieces of any size, into server-sent events as the
// HTML standard (9.2.6) says: lines end with LF, CR or CRLF, a blank line ends
// an event, comments and unknown fields are skipped. An event that the stream's
// end cuts off is dropped.
class EventParser {
 public:
  explicit EventParser(size_t max_event_bytes = size_t{16} << 20)
      : max_event_bytes_(max_event_bytes) {}

  // Calls `on_event` for each event that `piece` completes; it returns false to
  // stop, and the rest is ignored. False when it did, or when an event is
  // longer than allowed, which too_long() then says.
  bool Feed(std::string_view piece,
            const std::function<bool(const Event&)>& on_event);
  bool too_long() const { return too_long_; }

 private:
  void TakeLine();

  size_t max_event_bytes_;
  std::string line_;
  Event event_;
  bool has_data_ = false;
  bool after_cr_ = false;
  bool at_start_ = true;
  bool too_long_ = false;
};

}  // namespace kb::llm
