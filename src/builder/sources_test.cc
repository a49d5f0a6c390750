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
  EXPECT_EQ(TextOf("int a; // variable\nint /* of */ b;"),
            "int a;            \nint          b;\n");
  EXPECT_EQ(TextOf("f(\"http://a\");"), "f(\"http://a\");\n");
}

}  // namespace
}  // namespace kb::builder
