#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

namespace kb::compile {

// How many builds go on at the same time on so many processors, in so many
// bytes of memory that are free (nothing: not known). A build of an extension
// keeps three processors busy, one for each phase, and its compilers have up to
// 2 GB. More builds than that take longer each, all end late, and the first
// candidate is judged when the last of them is nearly built: eight on twelve
// processors took 13 to 17 s, where one takes 5.
int BuildSlots(size_t processors, std::optional<uint64_t> free_bytes);

}  // namespace kb::compile
