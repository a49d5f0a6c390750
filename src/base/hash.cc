#include "base/hash.h"

#include <openssl/evp.h>

#include <array>

#include "base/check.h"

namespace kb::base {

std::string Sha256(std::string_view bytes) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned int size = 0;
  KB_CHECK(EVP_Digest(bytes.data(), bytes.size(), digest.data(), &size,
                      EVP_sha256(), nullptr) == 1);
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string hex;
  hex.reserve(size_t{2} * size);
  for (unsigned int i = 0; i < size; ++i) {
    hex += kDigits[digest[i] >> 4];
    hex += kDigits[digest[i] & 15];
  }
  return hex;
}

KeyBuilder& KeyBuilder::Add(std::string_view part) {
  text_ += std::to_string(part.size());
  text_ += ':';
  text_ += part;
  return *this;
}

}  // namespace kb::base
