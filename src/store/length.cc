#include "length.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string_view>
#include <thread>

namespace kb::store {
namespace {

namespace fs = std::filesystem;
using base::Result;

// What https://www.sqlite.org/fileformat.html calls the database header.
constexpr std::string_view kMagic{"SQLite format 3\0", 16};
constexpr size_t kHeaderBytes = 100;
constexpr size_t kPageSizeAt = 16;
constexpr size_t kChangesAt = 24;
constexpr size_t kPagesAt = 28;
constexpr size_t kPagesValidForAt = 92;

using Header = std::array<unsigned char, kHeaderBytes>;

// `bytes` of them, the highest first.
uint64_t NumberAt(const Header& header, size_t at, size_t bytes) {
  uint64_t number = 0;
  for (size_t i = 0; i < bytes; ++i) number = number << 8 | header.at(at + i);
  return number;
}

// What the header says; none: it is none, or says nothing that holds.
std::optional<uint64_t> SaidBytes(const std::string& path) {
  Header header{};
  std::ifstream file(path, std::ios::binary);
  if (!file.read(reinterpret_cast<char*>(header.data()), header.size()))
    return std::nullopt;
  if (!std::equal(kMagic.begin(), kMagic.end(), header.begin(),
                  [](char a, unsigned char b) {
                    return static_cast<unsigned char>(a) == b;
                  }))
    return std::nullopt;
  if (NumberAt(header, kChangesAt, 4) != NumberAt(header, kPagesValidForAt, 4))
    return std::nullopt;
  constexpr uint64_t kLargestPage = 65536;  // written as 1
  const uint64_t page = NumberAt(header, kPageSizeAt, 2);
  return (page == 1 ? kLargestPage : page) * NumberAt(header, kPagesAt, 4);
}

// While a log lies beside the file somebody may be bringing its pages over, the
// first one first.
bool HasLog(const std::string& path) {
  std::error_code error;
  for (const char* ending : {"-wal", "-journal"})
    if (fs::exists(path + ending, error)) return true;
  return false;
}

}  // namespace

Result<void> CheckLength(const std::string& path) {
  // Somebody may begin and end a write between two of our looks.
  constexpr int kTries = 3;
  constexpr std::chrono::milliseconds kBetween{20};
  for (int tried = 1;; ++tried) {
    if (HasLog(path)) return base::Ok();
    const auto said = SaidBytes(path);
    std::error_code error;
    const uint64_t bytes = fs::file_size(path, error);
    if (!said || error || bytes >= *said || HasLog(path)) return base::Ok();
    if (tried == kTries)
      return base::Usage(
          "{}: the file is damaged: it has {} bytes, and says that it had {}; "
          "restore a copy, or save what is left with `sqlite3 FILE .recover`",
          path, bytes, *said);
    std::this_thread::sleep_for(kBetween);
  }
}

}  // namespace kb::store
