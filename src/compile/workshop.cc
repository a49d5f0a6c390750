#include "workshop.h"

#include <poll.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <limits>
#include <string_view>

#include "base/text.h"
#include "diagnostics.h"
#include "harvest.h"

namespace kb::compile {
namespace {

using base::Fail;
using base::Ok;
using base::Result;

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr const char* kCandidateFolder = "/candidate";
constexpr const char* kOutputFolder = "/out";

// How often a running build is looked at.
constexpr int kLookMilliseconds = 100;

// nvcc starts a dozen processes, torch a few compilers with threads at once.
constexpr uint64_t kProcesses = 512;

// Whatever our umask: the jailed user is another one.
Result<void> SetMode(const std::string& path, mode_t mode) {
  if (::chmod(path.c_str(), mode) != 0) return os::FailErrno("chmod " + path);
  return Ok();
}

Result<void> MakeFolder(const std::string& path, mode_t mode) {
  KB_TRY(os::MakeDirectories(path));
  return SetMode(path, mode);
}

Result<void> WriteReadable(const std::string& path, const std::string& text) {
  KB_TRY(os::WriteFileAtomically(path, text));
  return SetMode(path, 0644);
}

// Waits for the end, and brings it about when nobody wants the result any more
// or the output grows beyond all measure. Returns whether it did the latter.
bool Watch(jail::Jail& jail, const ToolRun& run, const std::stop_token& stop) {
  pollfd ended{jail.wait_fd(), POLLIN, 0};
  while (::poll(&ended, 1, kLookMilliseconds) <= 0) {
    const bool too_much =
        TreeBytes(run.output, run.output_limit + 1) > run.output_limit;
    if (!too_much && !stop.stop_requested()) continue;
    jail.Kill();
    return too_much;
  }
  return false;
}

jail::JailSpec Spec(const ToolRun& run) {
  jail::JailSpec spec;
  spec.argv = run.argv;
  spec.env = run.env;
  spec.binds = run.binds;
  spec.isolation = run.isolation;
  spec.limits.memory_bytes = run.memory_bytes;
  spec.limits.processes = kProcesses;
  constexpr double kLeastSeconds = 1;
  const double left = std::max(std::min(kLeastSeconds, run.wall_seconds),
                               run.wall_seconds - run.spent_seconds);
  spec.limits.wall =
      std::chrono::milliseconds(static_cast<int64_t>(left * 1000));
  return spec;
}

// A server that dies is done without.
Result<jail::Jail> StartJail(const ToolRun& run) {
  jail::JailSpec spec = Spec(run);
  if (run.python != nullptr) spec.server = run.python->Server();
  auto jail = jail::Jail::Start(spec);
  if (jail || spec.server == nullptr || spec.server->alive()) return jail;
  spec.server = nullptr;
  return jail::Jail::Start(spec);
}

// One process of several was killed for memory, or got none, and the rest gave
// up. In the compilers' own words: a source may name what it likes, and an
// error in it quotes the line.
bool ChildRanOutOfMemory(const std::string& output) {
  constexpr std::array<std::string_view, 4> kBegins = {
      "Killed signal terminated program", "virtual memory exhausted",
      "cc1plus: out of memory",
      "terminate called after throwing an instance of 'std::bad_alloc'"};
  constexpr std::string_view kDriver =
      ": fatal error: Killed signal terminated program ";
  return std::ranges::any_of(
      base::Split(output, '\n'), [&](const std::string& line) {
        return std::ranges::any_of(kBegins,
                                   [&](std::string_view text) {
                                     return line.starts_with(text);
                                   }) ||
               (!line.starts_with(' ') &&
                line.find(kDriver) != std::string::npos);
      });
}

// Bytes that somebody who is not root can still write there; more than any
// number where that is not known.
uint64_t RoomIn(const std::string& folder) {
  constexpr uint64_t kUnknown = std::numeric_limits<uint64_t>::max();
  struct statvfs disk{};
  if (::statvfs(folder.c_str(), &disk) != 0 || disk.f_blocks == 0)
    return kUnknown;
  if (disk.f_files > 0 && disk.f_favail == 0) return 0;
  return disk.f_bavail * disk.f_frsize;
}

// A build that failed and spoke of its disk. The text alone may be the source's
// own, so that it is built once more and not kept.
Result<void> AllowForDisk(const jail::JailExit& exit, const ToolRun& run,
                          ToolResult* result) {
  const std::string line = LineOfDisk(exit.output);
  if (line.empty()) return Ok();
  KB_TRY(CheckRoom(run.output, line));
  // A full jail's own /tmp is memory, and its size a limit of the build.
  if (run.isolation != jail::Isolation::kFull) KB_TRY(CheckRoom("/tmp", line));
  result->doubtful = true;
  if (result->log.find(line) == std::string::npos)
    result->log = line + "\n" + result->log;
  return Ok();
}

void Judge(const jail::JailExit& exit, const ToolRun& run, ToolResult* result) {
  using Kind = jail::JailExit::Kind;
  result->exit_code = exit.code;
  result->log = TrimDiagnostics(exit.output);
  if (exit.kind == Kind::kTimedOut) {
    result->cut_short = BuildStatus::kTimedOut;
    result->log = fmt::format("The build took longer than {} s.\n{}",
                              run.wall_seconds, result->log);
  } else if (exit.kind == Kind::kOutOfMemory ||
             (exit.code != 0 && ChildRanOutOfMemory(exit.output))) {
    result->cut_short = BuildStatus::kOutOfMemory;
    // A jail knows when its memory is at an end; else these are only words.
    result->doubtful = exit.kind != Kind::kOutOfMemory;
    result->log =
        fmt::format("The build needed more than {} MiB of memory.\n{}",
                    run.memory_bytes >> 20, result->log);
  } else if (exit.kind == Kind::kSignaled) {
    result->cut_short = BuildStatus::kFailed;
    result->doubtful = exit.signal == SIGKILL || exit.signal == SIGTERM;
    result->log = fmt::format("The compiler was killed by signal {}.\n{}",
                              exit.signal, result->log);
  }
}

// A source cannot have its compiler killed; the machine does that when memory
// is short, or a person.
Result<void> CheckNotKilled(const jail::JailExit& exit, const ToolRun& run,
                            bool by_us) {
  using Kind = jail::JailExit::Kind;
  if (exit.kind == Kind::kSetupFailed)
    return Fail("no jail for the compiler: {}", exit.detail);
  if (exit.kind == Kind::kLost || (exit.kind == Kind::kKilled && !by_us))
    return Fail("the build was ended from outside ({})",
                exit.detail.empty() ? "its jail was killed" : exit.detail);
  const bool killed = exit.kind == Kind::kSignaled &&
                      (exit.signal == SIGKILL || exit.signal == SIGTERM);
  if (killed && !run.runs_candidate)
    return Fail(
        "the compiler was killed by signal {}, perhaps because memory was "
        "short",
        exit.signal);
  return base::Ok();
}

}  // namespace

Result<Workshop> Workshop::Create(jail::Isolation isolation,
                                  const std::string& file_name,
                                  const std::string& source,
                                  const std::string& output) {
  KB_ASSIGN(os::TempDir folder, os::TempDir::Create("kb-compile"));
  Workshop shop(std::move(folder));
  const std::string& root = shop.folder_.path();
  KB_TRY(SetMode(root, 0711));
  KB_TRY(MakeFolder(root + "/in", 0755));
  shop.source_ = root + "/in/" + file_name;
  KB_TRY(WriteReadable(shop.source_, source));
  shop.output_ = output;
  if (output.empty()) {
    shop.output_ = root + "/out";
    KB_TRY(MakeFolder(shop.output_, 0755));
  }
  shop.renames_ = isolation == jail::Isolation::kFull;
  shop.source_inside_ = shop.renames_
                            ? fmt::format("{}/{}", kCandidateFolder, file_name)
                            : shop.source_;
  shop.output_inside_ = shop.renames_ ? kOutputFolder : shop.output_;
  return shop;
}

void Workshop::RenameOutputInside(const std::string& target) {
  if (renames_) output_inside_ = target;
}

std::vector<jail::Bind> Workshop::Binds() const {
  return {{source_, source_inside_, false}, {output_, output_inside_, true}};
}

Result<ToolResult> RunTool(const ToolRun& run, const std::stop_token& stop) {
  const auto start = Clock::now();
  KB_ASSIGN(jail::Jail jail, StartJail(run));
  const bool too_much = Watch(jail, run, stop);
  const jail::JailExit& exit = jail.Wait();
  if (stop.stop_requested()) return Fail("the build was stopped");
  KB_TRY(CheckNotKilled(exit, run, too_much));
  ToolResult result;
  result.seconds = std::chrono::duration<double>(Clock::now() - start).count();
  Judge(exit, run, &result);
  if (too_much) {
    result.cut_short = BuildStatus::kFailed;
    result.log = fmt::format("The build wrote more than {} MiB.\n{}",
                             run.output_limit >> 20, result.log);
  } else if (!result.cut_short && exit.code != 0) {
    KB_TRY(AllowForDisk(exit, run, &result));
  }
  return result;
}

Result<void> CheckRoom(const std::string& folder, const std::string& said) {
  constexpr uint64_t kRoom = uint64_t{32} << 20;
  const uint64_t room = RoomIn(folder);
  if (room >= kRoom || LineOfDisk(said).empty()) return Ok();
  return Fail("the disk is full, {} KiB are left in {}: {}", room >> 10, folder,
              said);
}

std::string SafeFileName(const std::string& name,
                         const std::string& extension) {
  constexpr size_t kMaxStem = 100;
  std::string stem = fs::path(name).stem().string().substr(0, kMaxStem);
  std::replace_if(
      stem.begin(), stem.end(),
      [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) == 0 &&
               std::string_view("._-").find(c) == std::string_view::npos;
      },
      '_');
  if (stem.empty()) stem = "candidate";
  if (stem.front() == '-' || stem.front() == '.') stem.front() = '_';
  return stem + extension;
}

}  // namespace kb::compile
