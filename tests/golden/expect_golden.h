// For tests that hold a text against a kept one.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>

namespace kb {

// Fails at the first line that differs from the file, whose path is given. With
// KB_ACCEPT=1 in the environment the file is written instead: look at the
// difference then before it is committed.
inline void ExpectGolden(const std::string& text, const std::string& path) {
  const char* accept = std::getenv("KB_ACCEPT");
  if (accept != nullptr && std::string(accept) == "1") {
    std::ofstream(path, std::ios::binary) << text;
    return;
  }
  std::ostringstream kept;
  kept << std::ifstream(path, std::ios::binary).rdbuf();
  ASSERT_FALSE(kept.str().empty())
      << path << " is missing: KB_ACCEPT=1 makes it";
  std::istringstream old_lines(kept.str());
  std::istringstream new_lines(text);
  std::string old_line;
  std::string new_line;
  for (int line = 1; std::getline(old_lines, old_line); ++line) {
    std::getline(new_lines, new_line);
    ASSERT_EQ(new_line, old_line)
        << path << ":" << line << " differs; KB_ACCEPT=1 accepts the new one";
  }
  EXPECT_TRUE(text == kept.str()) << path << " differs after its last line";
}

}  // namespace kb
