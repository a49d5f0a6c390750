#include "store/writer.h"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <thread>

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
  constexpr uint64_t kMostBytes = 4096;
  const std::string path = LockPath(store_path);
  // Who has just taken the lock has not said who it is yet.
  constexpr int kTries = 250;
  constexpr std::chrono::milliseconds kBetween{20};
  std::string holder;
  for (int tried = 0; tried < kTries && holder.empty(); ++tried) {
    if (tried > 0) std::this_thread::sleep_for(kBetween);
    KB_ASSIGN(auto lock, os::FileLock::TryAcquire(path, Myself()));
    if (lock) return Writer(std::move(*lock));
    holder = os::ReadFile(path, kMostBytes).value_or("");
  }
  return base::Usage(
      "{} is being written by {}; wait until it has ended, or name another "
      "store",
      store_path, holder.empty() ? "somebody else" : base::Printable(holder));
}

base::Result<Appender> Appender::Join(const std::string& store_path) {
  // Who excludes us removes a store, which takes no time.
  constexpr std::chrono::seconds kLimit{10};
  std::string path = LockPath(store_path);
  KB_ASSIGN(auto lock, os::FileLock::Share(path, kLimit));
  return Appender(std::move(lock), std::move(path));
}

base::Result<Appender> Appender::Exclude(const std::string& store_path) {
  std::string path = LockPath(store_path);
  KB_ASSIGN(auto lock, os::FileLock::TryAcquire(path, ""));
  if (!lock)
    return base::Usage(
        "{} is being written by another kernelbench (eval, baseline, import or "
        "the like); wait until it has ended",
        store_path);
  return Appender(std::move(*lock), std::move(path));
}

Appender::~Appender() { lock_.RemoveIfLast(path_); }

}  // namespace kb::store
