#include "base/hash.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace kb::base {
namespace {

// FIPS 180-2, appendix B, and the empty message of NIST's CAVP; base_test.cc
// has "abc".
TEST(Hash, HasThePublishedVectors) {
  EXPECT_EQ(Sha256(""),
            "e3b0c44298fc1c149afbf4c8996fb924"
            "27ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(Sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039"
            "a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(Sha256(std::string(1'000'000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67"
            "f1809a48a497200e046d39ccc7112cd0");
}

TEST(Hash, NulBytesCount) {
  EXPECT_NE(Sha256(std::string(1, '\0')), Sha256(""));
  EXPECT_NE(Sha256(std::string("a\0b", 3)), Sha256(std::string("a\0c", 3)));
}

TEST(KeyBuilder, EveryPartChangesTheKey) {
  std::set<std::string> keys{
      KeyBuilder().Finish(),
      KeyBuilder().Add("").Finish(),
      KeyBuilder().Add("").Add("").Finish(),
      KeyBuilder().Add("a").Finish(),
      KeyBuilder().Add("a").Add("").Finish(),
      KeyBuilder().Add("").Add("a").Finish(),
      KeyBuilder().Add("a").Add("b").Finish(),
      KeyBuilder().Add("b").Add("a").Finish(),
  };
  EXPECT_EQ(keys.size(), 8U);
}

// What is written before a part could be imitated by the part before it.
TEST(KeyBuilder, PartsThatLookLikeLengthsAreStillParts) {
  EXPECT_NE(KeyBuilder().Add("a1:b").Finish(),
            KeyBuilder().Add("a").Add("b").Finish());
  EXPECT_NE(KeyBuilder().Add("1:a").Finish(),
            KeyBuilder().Add("").Add("a").Finish());
  EXPECT_NE(KeyBuilder().Add("1").Add("2:ab").Finish(),
            KeyBuilder().Add("1").Add("2").Add("ab").Finish());
}

// Stores keep these keys: another way of building them loses what is there.
TEST(KeyBuilder, KeyIsTheHashOfPartsAfterTheirLengths) {
  EXPECT_EQ(KeyBuilder().Add("ab").Add("").Add("c").Finish(),
            Sha256("2:ab0:1:c"));
}

}  // namespace
}  // namespace kb::base
