#include "os/colour.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

namespace kb::os {
namespace {

class Colour : public testing::Test {
 protected:
  Colour() : terminal_(posix_openpt(O_RDWR | O_NOCTTY)) {
    unsetenv("NO_COLOR");
    setenv("TERM", "xterm", 1);
  }
  ~Colour() override { close(terminal_); }
  Colour(const Colour&) = delete;
  Colour& operator=(const Colour&) = delete;

  const int terminal_;
};

TEST_F(Colour, IsForTerminals) {
  EXPECT_TRUE(HasColour(terminal_));
  const int file = open("/dev/null", O_RDWR);
  EXPECT_FALSE(HasColour(file));
  close(file);
}

TEST_F(Colour, IsNotForWhoDoesNotWantIt) {
  setenv("NO_COLOR", "1", 1);
  EXPECT_FALSE(HasColour(terminal_));
  setenv("NO_COLOR", "", 1);
  EXPECT_TRUE(HasColour(terminal_));
  setenv("TERM", "dumb", 1);
  EXPECT_FALSE(HasColour(terminal_));
}

}  // namespace
}  // namespace kb::os
