#include "task_lines.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <array>

namespace kb::cli {
namespace {

using base::Json;

std::string WhyNot(const std::string& line) {
  Json id;
  const auto task = ParseTaskLine(line, &id);
  return task ? "" : task.error().message();
}

TEST(TaskLines, HaveAProblemAndASource) {
  Json id;
  const auto task = ParseTaskLine(
      R"({"id": [1, "x"], "problem": "level1/19", "source": "s", "size": "full"})",
      &id);
  ASSERT_TRUE(task) << task.error().message();
  EXPECT_EQ(task->problem, "level1/19");
  EXPECT_EQ(task->source, "s");
  EXPECT_EQ(task->size, "full");
  EXPECT_EQ(task->id, Json::parse(R"([1, "x"])"));
}

TEST(TaskLines, ThatAreWrongSayWhere) {
  EXPECT_NE(WhyNot("no json").find("the task"), std::string::npos);
  EXPECT_NE(WhyNot("[]").find("object"), std::string::npos);
  EXPECT_NE(WhyNot(R"({"source": 3})").find("\"source\""), std::string::npos);
  EXPECT_NE(WhyNot(R"({"source": "", "sise": "full"})").find("\"sise\""),
            std::string::npos);
  EXPECT_NE(WhyNot(R"({"problem": "p"})").find("either"), std::string::npos);
  Json id;
  EXPECT_FALSE(ParseTaskLine(R"({"id": 7, "path": 1})", &id));
  EXPECT_EQ(id, 7);  // so that the answer can carry it
}

TEST(LineReader, GivesLinesAsTheyComeAndTheLastWithoutItsEnd) {
  std::array<int, 2> ends{};
  ASSERT_EQ(pipe(ends.data()), 0);
  LineReader lines(ends[0]);
  const std::stop_token never;
  ASSERT_EQ(write(ends[1], "one\n\ntw", 7), 7);
  EXPECT_EQ(lines.Next(never), "one");
  EXPECT_EQ(lines.Next(never), "");
  ASSERT_EQ(write(ends[1], "o\nthree", 7), 7);
  close(ends[1]);
  EXPECT_EQ(lines.Next(never), "two");
  EXPECT_EQ(lines.Next(never), "three");
  EXPECT_EQ(lines.Next(never), std::nullopt);
  close(ends[0]);
}

TEST(LineReader, WaitsNoLongerThanItShould) {
  std::array<int, 2> ends{};
  ASSERT_EQ(pipe(ends.data()), 0);
  std::stop_source stop;
  stop.request_stop();
  EXPECT_EQ(LineReader(ends[0]).Next(stop.get_token()), std::nullopt);
  close(ends[0]);
  close(ends[1]);
}

}  // namespace
}  // namespace kb::cli
