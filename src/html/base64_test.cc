#include "html/base64.h"

#include <gtest/gtest.h>

#include <string>

namespace kb::html {
namespace {

// RFC 4648, section 10; text_test.cc has the others.
TEST(Base64, PadsToFullGroupsOfFour) {
  EXPECT_EQ(Base64("foo"), "Zm9v");
  EXPECT_EQ(Base64("foob"), "Zm9vYg==");
  EXPECT_EQ(Base64("fooba"), "Zm9vYmE=");
}

// RFC 4648, section 9.
TEST(Base64, BytesAboveAsciiAreNotSigned) {
  EXPECT_EQ(Base64("\x14\xfb\x9c\x03\xd9\x7e"), "FPucA9l+");
  EXPECT_EQ(Base64("\x14\xfb\x9c\x03\xd9"), "FPucA9k=");
  EXPECT_EQ(Base64("\x14\xfb\x9c\x03"), "FPucAw==");
  EXPECT_EQ(Base64("\xff\xff\xff"), "////");
  EXPECT_EQ(Base64("\xff"), "/w==");
}

TEST(Base64, NulBytesCount) {
  EXPECT_EQ(Base64(std::string(1, '\0')), "AA==");
  EXPECT_EQ(Base64(std::string(2, '\0')), "AAA=");
  EXPECT_EQ(Base64(std::string(3, '\0')), "AAAA");
}

// Table 1 of RFC 4648: the 64 values of six bits in order.
TEST(Base64, HasTheStandardAlphabet) {
  std::string bytes;
  for (int i = 0; i < 64; i += 4) {
    bytes += static_cast<char>(i << 2 | (i + 1) >> 4);
    bytes += static_cast<char>((i + 1) << 4 | (i + 2) >> 2);
    bytes += static_cast<char>((i + 2) << 6 | (i + 3));
  }
  EXPECT_EQ(Base64(bytes),
            "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/");
}

// As `printf %s ... | openssl dgst -sha256 -binary | base64` says.
TEST(ScriptHash, IsWhatABrowserCompares) {
  EXPECT_EQ(ScriptHash("alert('Hello, world.');"),
            "qznLcsROx4GACP2dm0UCKCzCG+HiZ1guq6ZZDob/Tng=");
  EXPECT_EQ(ScriptHash(""), "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=");
}

}  // namespace
}  // namespace kb::html
