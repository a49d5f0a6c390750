#include "sources.h"

#include <gtest/gtest.h>

#include <string>

#include "os/files.h"

namespace kb::builder {
namespace {

// The text of a source.
std::string TextOf(const std::string& text) {
  const os::TempDir folder = os::TempDir::Create("kb-sources").value();
  const std::string file = folder.path() + "/a.cu";
  EXPECT_TRUE(os::WriteFileAtomically(file, text));
  return ReadSources({file}, "nvcc").text;
}

TEST(Sources, CommentsAreNoText) {
  EXPECT_EQ(TextOf("int a; // variable\nint /* of\nlines */ b;"),
            "int a; \nint   b;\n");
}

TEST(Sources, LiteralsAreText) {
  EXPECT_EQ(TextOf("f(\"http://a\", \"\\\"//\", '\"', '/', 1'000); // x"),
            "f(\"http://a\", \"\\\"//\", '\"', '/', 1'000); \n");
  EXPECT_EQ(TextOf("f(R\"a(\" // )\")a\"); // x"), "f(R\"a(\" // )\")a\"); \n");
  EXPECT_EQ(TextOf("// don't\nint a; // x"), "\nint a; \n");
}

}  // namespace
}  // namespace kb::builder
