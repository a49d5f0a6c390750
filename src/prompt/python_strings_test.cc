#include "python_strings.h"

#include <gtest/gtest.h>

namespace kb::prompt {
namespace {

bool EndsInTripleQuotes(std::string_view python) {
  PythonStrings strings;
  strings.Add(python);
  return strings.in_triple_quotes();
}

TEST(PythonStrings, TripleQuotes) {
  EXPECT_TRUE(EndsInTripleQuotes("a = '''\nb"));
  EXPECT_FALSE(EndsInTripleQuotes("a = '''\nb'''"));
  EXPECT_FALSE(EndsInTripleQuotes("# it's \"\"\" here\n"));
  EXPECT_FALSE(EndsInTripleQuotes("a = \"'''\"\n"));
  EXPECT_TRUE(EndsInTripleQuotes("a = \"\"\"\\\"\"\""));
}

TEST(PythonStrings, GoOnInTheNextPiece) {
  PythonStrings strings;
  strings.Add("a = '''\n");
  EXPECT_TRUE(strings.in_triple_quotes());
  strings.Add("b\\\n");
  EXPECT_TRUE(strings.in_triple_quotes());
  strings.Add("'''\n");
  EXPECT_FALSE(strings.in_triple_quotes());
}

}  // namespace
}  // namespace kb::prompt
