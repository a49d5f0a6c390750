#include "store/writer.h"

#include <fmt/format.h>
#include <unistd.h>

#include <array>

#include "base/text.h"

namespace kb::store {
namespace {

std::string Myself() {
  std::array<char, 256> host{};
  if (gethostname(host.data(), host.size() - 1) != 0) host[0] = '?';
  return fmt::format("process {} on {}", getpid(), host.data());
}

}  // namespace

base::Result<Writer> Writer::Take(const std::string& store_path) {
  const std::string path = LockPath(store_path);
  KB_ASSIGN(auto lock, os::FileLock::TryAcquire(path, Myself()));
  if (lock) return Writer(std::move(*lock));
  constexpr uint64_t kMostBytes = 4096;
  const auto holder = os::ReadFile(path, kMostBytes);
  return base::Usage(
      "{} is being written by {}; wait until it has ended, or name another "
      "store",
      store_path,
      holder && !holder->empty() ? base::Printable(*holder) : "somebody else");
}

}  // namespace kb::store
