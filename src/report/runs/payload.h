#pragma once

#include <cstddef>
#include <string>

#include "digest.h"
#include "report/runs.h"

namespace kb::report {

// What the page's script shows when a problem or a candidate is opened.
struct Payload {
  std::string base64;   // of a zlib stream: a JSON array, one object per part
  size_t details = 0;   // candidates that can be opened
  size_t left_out = 0;  // for want of space
  size_t conversations = 0;           // that can be opened
  size_t conversations_left_out = 0;  // for want of space
};

// Parts in the order of importance, as many as fit `max_bytes` of base64.
Payload MakePayload(const Book& book, const Digest& digest, size_t max_bytes);

}  // namespace kb::report
