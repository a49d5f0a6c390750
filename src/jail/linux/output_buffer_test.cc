#include "linux/output_buffer.h"

#include <gtest/gtest.h>

#include <string>

namespace kb::jail {
namespace {

TEST(OutputBufferTest, ShortTextIsKeptWhole) {
  OutputBuffer buffer(10);
  buffer.Append("abc");
  buffer.Append("defghij");
  EXPECT_EQ("abcdefghij", buffer.Text());
}

TEST(OutputBufferTest, LongTextKeepsItsStartAndEnd) {
  OutputBuffer buffer(6);
  for (char c = 'a'; c <= 'z'; ++c) buffer.Append(std::string(1, c));
  EXPECT_EQ("abc\n[... 20 bytes left out ...]\nxyz", buffer.Text());
  EXPECT_EQ(26u, buffer.total());
}

// However it is cut into pieces.
TEST(OutputBufferTest, PiecesMakeNoDifference) {
  std::string text;
  for (int i = 0; i < 1000; ++i) text += std::to_string(i);
  OutputBuffer whole(100);
  whole.Append(text);
  for (const size_t piece : {1u, 7u, 49u, 50u, 51u, 99u, 1000u}) {
    OutputBuffer buffer(100);
    for (size_t i = 0; i < text.size(); i += piece)
      buffer.Append(std::string_view(text).substr(i, piece));
    EXPECT_EQ(whole.Text(), buffer.Text()) << piece;
  }
}

}  // namespace
}  // namespace kb::jail
