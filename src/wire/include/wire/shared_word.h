#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace kb::wire {

// A word of memory that a jail may change at any moment, loaded exactly once.
// Whoever reads such memory does it by this function, and by the two below,
// which also bound what they loaded; the copy does not change any more.
template <typename T>
T LoadOnce(const T& word) {
  static_assert(sizeof(T) <= sizeof(uint64_t));
  return __atomic_load_n(&word, __ATOMIC_RELAXED);
}

// Nothing when it is more than `most`.
template <typename T>
std::optional<T> LoadAtMost(const T& word, T most) {
  const T value = LoadOnce(word);
  return value <= most ? std::optional<T>(value) : std::nullopt;
}

// The first `size` bytes; all when there are fewer.
template <size_t kBytes>
std::string LoadText(const std::array<char, kBytes>& text,
                     const uint32_t& size) {
  const size_t length = std::min<size_t>(LoadOnce(size), kBytes);
  std::string copy(length, '\0');
  for (size_t i = 0; i < length; ++i) copy[i] = LoadOnce(text[i]);
  return copy;
}

}  // namespace kb::wire
