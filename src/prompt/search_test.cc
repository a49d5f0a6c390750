#include "prompt/search.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <utility>

#include "os/files.h"

namespace kb::prompt {
namespace {

base::Result<SearchWriter> WriterOf(const std::string& name) {
  return SearchWriter::Create({KB_SOURCE_DIR "/share/prompts", name, "cpp"});
}

bool Has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(SearchTexts, ShowWhatTheyAreAbout) {
  const auto writer = WriterOf("default");
  ASSERT_TRUE(writer) << writer.error().message();
  const Known first{"", "int a; // {{backend.file}}", "turn 1: correct",
                    "Your program is correct."};
  const Known second{"", "int b;", "turn 2: incorrect", ""};
  const std::string mutation = writer->Mutation(first);
  EXPECT_TRUE(Has(mutation,
                  "(turn 1: correct):\n\n```cpp\nint a; // "
                  "{{backend.file}}\n```"))
      << mutation;
  EXPECT_TRUE(Has(mutation, "\n\nYour program is correct."));
  const std::string crossover = writer->Crossover(first, second);
  EXPECT_TRUE(Has(crossover, "(turn 2: incorrect):\n\n```cpp\nint b;\n```"));
  EXPECT_TRUE(Has(crossover, "the complete answer.cpp."));
  EXPECT_TRUE(Has(writer->Program({"Sort first.", "", "", ""}),
                  "after this approach:\n\nSort first.\n"));
}

TEST(SearchTexts, FirstIdeaSaysNothingOfOthers) {
  const auto writer = WriterOf("default");
  ASSERT_TRUE(writer);
  const std::string first = writer->Idea({}, {});
  EXPECT_FALSE(Has(first, "did well")) << first;
  EXPECT_FALSE(Has(first, "take another one"));
  EXPECT_FALSE(Has(first, "```"));
  const std::string later =
      writer->Idea({"Sort.", "int a;", "turn 2: correct", ""}, {"- Count."});
  EXPECT_TRUE(Has(later, "did well before:\n\nSort.\n"));
  EXPECT_TRUE(Has(later, "(turn 2: correct):\n\n```cpp\nint a;\n```"));
  EXPECT_TRUE(Has(later, "take another one:\n\n- Count."));
}

TEST(SearchTexts, UnknownNameInAFileIsAnErrorWithItsLine) {
  const auto folder = os::TempDir::Create("search-texts");
  ASSERT_TRUE(folder);
  const std::string path = folder->path() + "/mine.toml";
  std::ofstream(path)
      << "description = \"mine\"\nidea = '''\n{{no}}\n'''\n"
         "program = \"p\"\nmutation = \"m\"\ncrossover = \"c\"\n";
  const auto writer = WriterOf(path);
  ASSERT_FALSE(writer);
  EXPECT_TRUE(Has(writer.error().message(), "mine.toml:3"))
      << writer.error().message();
}

TEST(SearchTexts, HashIsOfTheWords) {
  const auto folder = os::TempDir::Create("search-texts");
  ASSERT_TRUE(folder);
  const std::string path = folder->path() + "/mine.toml";
  const auto hash =
      [&](const std::string& mutation) {
        std::ofstream(path)
            << "description = \"d\"\nidea = \"i\"\nprogram = \"p\"\n"
            << "mutation = \"" << mutation << "\"\ncrossover = \"c\"\n";
        const auto writer = WriterOf(path);
        return writer ? writer->Hash() : writer.error().message();
      };
  EXPECT_EQ(hash("a").size(), 16U) << hash("a");
  EXPECT_EQ(hash("a"), hash("a"));
  EXPECT_NE(hash("a"), hash("b"));
}

}  // namespace
}  // namespace kb::prompt
