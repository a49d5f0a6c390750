#include "deflate.h"

#include <zlib.h>

#include <array>

#include "base/check.h"

namespace kb::report {
namespace {

// The last block, the checksum, and 16 bytes of text.
constexpr size_t kTail = 48;
constexpr int kLevel = 7;  // 9 takes twice as long for a hundredth less

// All that zlib has to say about `text`, to the end of `out`.
void Run(z_stream* stream, std::string_view text, int flush, std::string* out) {
  std::array<Bytef, 16384> buffer{};
  stream->next_in = reinterpret_cast<const Bytef*>(text.data());
  stream->avail_in = static_cast<uInt>(text.size());
  do {
    stream->next_out = buffer.data();
    stream->avail_out = static_cast<uInt>(buffer.size());
    KB_CHECK(deflate(stream, flush) != Z_STREAM_ERROR);
    const size_t count = buffer.size() - stream->avail_out;
    out->append(reinterpret_cast<const char*>(buffer.data()), count);
  } while (stream->avail_out == 0);
}

}  // namespace

struct Deflater::Stream {
  z_stream z{};
};

Deflater::Deflater(size_t max_bytes)
    : stream_(std::make_unique<Stream>()), max_bytes_(max_bytes) {
  KB_CHECK(deflateInit_(&stream_->z, kLevel, ZLIB_VERSION, sizeof(z_stream)) ==
           Z_OK);
}

Deflater::~Deflater() { deflateEnd(&stream_->z); }

void Deflater::Write(std::string_view text, int flush) {
  Run(&stream_->z, text, flush, &out_);
  pending_ = flush == Z_NO_FLUSH ? pending_ + text.size() : 0;
}

// In the worst case, without packing anything to find out.
bool Deflater::Fits(size_t more) const {
  const size_t worst = deflateBound(&stream_->z, pending_ + more);
  return out_.size() + worst + kTail <= max_bytes_;
}

size_t Deflater::SizeWith(std::string_view text) const {
  Stream trial;
  KB_CHECK(deflateCopy(&trial.z, &stream_->z) == Z_OK);
  std::string more;
  Run(&trial.z, text, Z_SYNC_FLUSH, &more);
  deflateEnd(&trial.z);
  return out_.size() + more.size();
}

bool Deflater::Add(std::string_view text) {
  if (!Fits(text.size()) && pending_ > 0) Write({}, Z_SYNC_FLUSH);
  if (Fits(text.size())) {
    Write(text, Z_NO_FLUSH);
    return true;
  }
  if (SizeWith(text) + kTail > max_bytes_) return false;
  Write(text, Z_SYNC_FLUSH);
  return true;
}

std::string Deflater::Finish(std::string_view last) {
  Write(last, Z_FINISH);
  return std::move(out_);
}

}  // namespace kb::report
