#include "output_place.h"

#include <algorithm>

namespace kb::candidate {

bool CallsShareMemory(std::vector<OutputPlace> outputs) {
  std::erase_if(outputs, [](const OutputPlace& o) { return o.bytes == 0; });
  std::ranges::sort(outputs, {}, &OutputPlace::data);
  // What begins before the furthest end so far shares memory with its owner;
  // with another one before it that owner itself would have.
  const OutputPlace* furthest = nullptr;
  for (const OutputPlace& output : outputs) {
    if (furthest != nullptr && output.data < furthest->data + furthest->bytes &&
        output.call != furthest->call)
      return true;
    if (furthest == nullptr ||
        output.data + output.bytes > furthest->data + furthest->bytes)
      furthest = &output;
  }
  return false;
}

}  // namespace kb::candidate
