#include "os/status_line.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdio>

#include "base/text.h"

namespace kb::os {
namespace {

bool g_quiet = false;

size_t TerminalWidth() {
  constexpr size_t kUsual = 80, kLeast = 20;
  winsize size{};
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > kLeast)
    return size.ws_col;
  return kUsual;
}

}  // namespace

void BeQuiet() { g_quiet = true; }

void Note(std::string_view line) {
  if (!g_quiet) fmt::print(stderr, "{}\n", line);
}

StatusLine::StatusLine() : terminal_(!g_quiet && isatty(STDERR_FILENO) == 1) {}

StatusLine::~StatusLine() { Clear(); }

void StatusLine::Show(std::string_view block) {
  if (!terminal_) return;
  const base::MutexLock lock(&mutex_);
  Clear();
  block_ = base::Printable(block);
  Draw();
}

void StatusLine::Print(std::string_view line) {
  const base::MutexLock lock(&mutex_);
  if (g_quiet) return;
  Clear();
  fmt::print(stderr, "{}\n", base::Printable(line));
  Draw();
}

void StatusLine::Clear() {
  if (drawn_ == 0) return;
  std::string text = "\r\033[K";
  for (size_t i = 1; i < drawn_; ++i) text += "\033[A\033[K";
  fmt::print(stderr, "{}", text);
  std::fflush(stderr);
  drawn_ = 0;
}

void StatusLine::Draw() {
  if (!terminal_ || block_.empty()) return;
  const size_t width = TerminalWidth() - 1;
  std::string text;
  for (const std::string& line : base::Split(block_, '\n')) {
    if (drawn_ > 0) text += '\n';
    text.append(line, 0, width);
    ++drawn_;
  }
  fmt::print(stderr, "{}", text);
  std::fflush(stderr);
}

}  // namespace kb::os
