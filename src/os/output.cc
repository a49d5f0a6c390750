#include "os/output.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <initializer_list>
#include <string>

#include "control_filter.h"

namespace kb::os {
namespace {

struct Sink {
  int fd;
  int error = 0;  // the first one; what comes after it is dropped
  ControlFilter filter{};
};
Sink g_output{STDOUT_FILENO};
Sink g_errors{STDERR_FILENO};

// Never fails: a stream that has failed once would fail every later print.
ssize_t Write(void* cookie, const char* data, size_t size) {
  Sink* const sink = static_cast<Sink*>(cookie);
  const std::string text = sink->filter.Pass({data, size});
  size_t done = 0;
  while (sink->error == 0 && done < text.size()) {
    const ssize_t written =
        ::write(sink->fd, text.data() + done, text.size() - done);
    if (written >= 0) {
      done += static_cast<size_t>(written);
    } else if (errno == EAGAIN) {
      pollfd room{sink->fd, POLLOUT, 0};
      ::poll(&room, 1, -1);
    } else if (errno != EINTR) {
      sink->error = errno;
    }
  }
  return static_cast<ssize_t>(size);
}

FILE* StreamInto(Sink* sink, int buffering) {
  FILE* const stream =
      ::fopencookie(sink, "w", {nullptr, Write, nullptr, nullptr});
  if (stream != nullptr) std::setvbuf(stream, nullptr, buffering, BUFSIZ);
  return stream;
}

}  // namespace

void ProtectOutput() {
  // A closed one would become the next file that is opened.
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (::fcntl(fd, F_GETFD) < 0) (void)::open("/dev/null", O_RDWR);
  const bool terminal = ::isatty(STDOUT_FILENO) == 1;
  FILE* const output = StreamInto(&g_output, terminal ? _IOLBF : _IOFBF);
  FILE* const errors = StreamInto(&g_errors, _IONBF);
  if (output != nullptr) stdout = output;
  if (errors != nullptr) stderr = errors;
}

int LostOutput() {
  std::fflush(stdout);
  return g_output.error == EPIPE ? 0 : g_output.error;
}

}  // namespace kb::os
