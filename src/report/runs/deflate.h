#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace kb::report {

// A zlib stream (RFC 1950) that stays within a size.
class Deflater {
 public:
  explicit Deflater(size_t max_bytes);
  ~Deflater();
  Deflater(const Deflater&) = delete;
  Deflater& operator=(const Deflater&) = delete;

  // Allows another size.
  void Allow(size_t max_bytes) { max_bytes_ = max_bytes; }
  // False: with `text` the stream would pass its size, and it was not added.
  bool Add(std::string_view text);

  // The whole stream. Nothing may be called after it. `last` is added whatever
  // the size; up to 16 bytes of it are within.
  std::string Finish(std::string_view last);

 private:
  struct Stream;  // zlib's
  void Write(std::string_view text, int flush);
  bool Fits(size_t more) const;
  size_t SizeWith(std::string_view text) const;

  std::unique_ptr<Stream> stream_;
  size_t max_bytes_;
  size_t pending_ = 0;  // bytes of text whose packed size is not known yet
  std::string out_;
};

}  // namespace kb::report
