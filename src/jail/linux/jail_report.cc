#include "linux/jail_report.h"

#include <unistd.h>

#include <cerrno>
#include <cstddef>

namespace kb::jail {

void JailReporter::Fail(const char* what, const char* path) const {
  JailReport report;
  report.error = errno;
  size_t length = 0;
  const auto append = [&](const char* text) {
    while (*text != '\0' && length + 1 < sizeof report.what)
      report.what[length++] = *text++;
  };
  append(what);
  append(*path != '\0' ? " " : "");
  append(path);
  Send(report);
  ::_exit(125);
}

void JailReporter::Executing(int payload) const {
  JailReport report;
  report.kind = JailReport::Kind::kExecuting;
  report.payload = payload;
  Send(report);
}

void JailReporter::Ended(int wait_status) const {
  JailReport report;
  report.kind = JailReport::Kind::kEnded;
  report.wait_status = wait_status;
  Send(report);
}

void JailReporter::Send(const JailReport& report) const {
  // When it cannot be sent, nobody is there to read it.
  [[maybe_unused]] const ssize_t n = ::write(fd_, &report, sizeof report);
}

}  // namespace kb::jail
