#include "prompt/knowledge.h"

#include <gtest/gtest.h>

#include "os/files.h"

namespace kb::prompt {
namespace {

base::Result<KnowledgeWriter> WriterOf(const std::string& name) {
  return KnowledgeWriter::Create({KB_SOURCE_DIR "/share/prompts", name, "cpp"});
}

Lesson SomeLesson() {
  return {"Softmax",
          "softmax, reduction",
          "1.83x",
          "cpu",
          "threads",
          "vector loads",
          "1.10x",
          "class Model: pass",
          "int a; // {{backend.fence}}"};
}

bool Has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(KnowledgeTexts, SayWhatAProgramIsGoodFor) {
  const auto writer = WriterOf("default");
  ASSERT_TRUE(writer) << writer.error().message();
  EXPECT_EQ(writer->extension(), ".cpp");
  const std::string text = writer->Write({SomeLesson(), SomeLesson()});
  EXPECT_TRUE(Has(text,
                  "\n\nProgram 2: Softmax (softmax, reduction), 1.83x as fast "
                  "as PyTorch on cpu.\nIt works with threads.\nWhat came last "
                  "is vector loads; the program before was 1.10x.\n"))
      << text;
  EXPECT_TRUE(Has(text, "```python\nclass Model: pass\n```"));
  EXPECT_TRUE(Has(text, "```cpp\nint a; // {{backend.fence}}\n```"));
}

TEST(KnowledgeTexts, WhatThereIsNotIsNotSaid) {
  const auto writer = WriterOf("default");
  ASSERT_TRUE(writer);
  EXPECT_EQ(writer->Write({}), "");
  Lesson lesson = SomeLesson();
  lesson.approaches = lesson.added = lesson.reference = "";
  const std::string text = writer->Write({lesson});
  EXPECT_FALSE(Has(text, "It works with"));
  EXPECT_FALSE(Has(text, "What came last"));
  EXPECT_FALSE(Has(text, "Reference"));
}

TEST(KnowledgeTexts, MistakeNamesFileAndLine) {
  const auto folder = os::TempDir::Create("kb-knowledge");
  ASSERT_TRUE(folder);
  const std::string path = folder->path() + "/my.toml";
  ASSERT_TRUE(os::WriteFileAtomically(
      path,
      "description = \"mine\"\nknowledge = \"\"\"\n{{#examples}}\n"
      "{{example.secret}}\n{{/examples}}\n\"\"\"\n"));
  const auto writer = WriterOf(path);
  ASSERT_FALSE(writer);
  EXPECT_TRUE(Has(writer.error().message(), path + ":4"))
      << writer.error().message();
  EXPECT_FALSE(WriterOf("no-such-text"));
}

}  // namespace
}  // namespace kb::prompt
