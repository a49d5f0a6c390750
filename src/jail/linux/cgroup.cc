#include "linux/cgroup.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <filesystem>
#include <set>
#include <thread>
#include <utility>

#include "base/text.h"
#include "linux/stale.h"
#include "os/fd.h"
#include "os/files.h"

namespace kb::jail {
namespace {

constexpr char kPrefix[] = "kernelbench-";

// A mounted hierarchy, and our own place in it.
struct Hierarchy {
  bool v2 = false;
  std::vector<std::string> controllers;  // version 1 only
  std::string mount_point;
  std::string own;

  bool Has(const std::string& controller) const {
    return std::find(controllers.begin(), controllers.end(), controller) !=
           controllers.end();
  }
};

std::string ReadOrEmpty(const std::string& path) {
  return os::ReadFile(path).value_or("");
}

// Control files take a value in one write, and answer with errno.
bool Set(const std::string& path, const std::string& value) {
  const os::Fd fd(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
  if (!fd.valid()) return false;
  return ::write(fd.get(), value.data(), value.size()) ==
         static_cast<ssize_t>(value.size());
}

// The number after `key` in a file of "key number" lines.
std::optional<uint64_t> Counter(const std::string& path,
                                const std::string& key) {
  const std::string text = ReadOrEmpty(path);
  for (const std::string& line : base::Split(text, '\n')) {
    const auto fields = base::Split(line, ' ');
    if (fields.size() == 2 && fields[0] == key)
      return std::strtoull(fields[1].c_str(), nullptr, 10);
  }
  return std::nullopt;
}

// Our path in a hierarchy, as /proc/self/cgroup has it: "4:memory:/path", and
// "0::/path" for version 2.
std::string OwnPath(const Hierarchy& hierarchy) {
  for (const std::string& line :
       base::Split(ReadOrEmpty("/proc/self/cgroup"), '\n')) {
    const size_t first = line.find(':');
    const size_t second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const auto names =
        base::Split(line.substr(first + 1, second - first - 1), ',');
    const bool match = hierarchy.v2 ? names == std::vector<std::string>{""}
                                    : std::any_of(names.begin(), names.end(),
                                                  [&](const std::string& name) {
                                                    return !name.empty() &&
                                                           hierarchy.Has(name);
                                                  });
    if (match) return line.substr(second + 1);
  }
  return "/";
}

// Inside a container the path is the host's while the mount shows only the
// container's part of the tree, whose root is the mount's.
std::string OwnFolder(const Hierarchy& hierarchy, const std::string& root) {
  std::string path = OwnPath(hierarchy);
  if (root != "/" && path.starts_with(root)) path = path.substr(root.size());
  std::string folder = hierarchy.mount_point;
  if (!path.empty() && path != "/") folder += path;
  std::error_code error;
  if (path.find("/..") != std::string::npos ||
      !std::filesystem::is_directory(folder, error))
    return hierarchy.mount_point;
  return folder;
}

std::vector<Hierarchy> MountedHierarchies() {
  std::vector<Hierarchy> found;
  for (const std::string& line :
       base::Split(ReadOrEmpty("/proc/self/mountinfo"), '\n')) {
    const size_t dash = line.find(" - ");
    if (dash == std::string::npos) continue;
    const auto before = base::Split(line.substr(0, dash), ' ');
    const auto after = base::Split(line.substr(dash + 3), ' ');
    if (before.size() < 6 || after.size() < 3) continue;
    if (after[0] != "cgroup" && after[0] != "cgroup2") continue;
    Hierarchy hierarchy;
    hierarchy.v2 = after[0] == "cgroup2";
    hierarchy.controllers = base::Split(after[2], ',');
    hierarchy.mount_point = before[4];
    hierarchy.own = OwnFolder(hierarchy, before[3]);
    found.push_back(hierarchy);
  }
  return found;
}

// Where groups of ours may lie in a hierarchy. Version 2 forbids limits on the
// children of a group that has processes, such as our own: then a sibling of
// ours does.
std::vector<std::string> Places(const Hierarchy& hierarchy) {
  std::vector<std::string> places = {hierarchy.own};
  if (hierarchy.v2 && hierarchy.own != hierarchy.mount_point)
    places.push_back(hierarchy.own.substr(0, hierarchy.own.rfind('/')));
  return places;
}

bool OffersLimits(const std::string& place) {
  const auto offered = base::Split(
      base::Trim(ReadOrEmpty(place + "/cgroup.subtree_control")), ' ');
  const auto has = [&](const char* name) {
    return std::find(offered.begin(), offered.end(), name) != offered.end();
  };
  return has("memory") && has("pids");
}

// Makes a group at `place`, applies `limits` and moves `pid` there. Empty when
// one of these is not permitted; then nothing of it remains.
std::string MakeGroup(
    const std::string& place, const std::string& name, pid_t pid,
    const std::vector<std::pair<std::string, std::string>>& limits) {
  std::string group = place + "/" + name;
  if (::mkdir(group.c_str(), 0755) != 0) return {};
  bool good = true;
  for (const auto& [file, value] : limits)
    good = good && Set(group + "/" + file, value);
  good = good && Set(group + "/cgroup.procs", std::to_string(pid));
  if (good) return group;
  ::rmdir(group.c_str());
  return {};
}

void KillMembers(const std::string& group) {
  if (Set(group + "/cgroup.kill", "1")) return;
  for (const std::string& line :
       base::Split(ReadOrEmpty(group + "/cgroup.procs"), '\n')) {
    const long pid = std::strtol(line.c_str(), nullptr, 10);
    if (pid > 1) ::kill(static_cast<pid_t>(pid), SIGKILL);
  }
}

// The last member may be in the midst of leaving.
void RemoveGroup(const std::string& group) {
  for (int i = 0; i < 2000; ++i) {
    if (::rmdir(group.c_str()) == 0 || errno != EBUSY) return;
    std::this_thread::sleep_for(std::chrono::microseconds(500));
  }
}

void RemoveStaleIn(const std::string& place) {
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(place, error)) {
    const std::string name = entry.path().filename().string();
    if (!OwnerIsDead(name, kPrefix)) continue;
    KillMembers(entry.path().string());
    RemoveGroup(entry.path().string());
  }
}

}  // namespace

Cgroup Cgroup::Create(uint64_t memory_bytes, uint64_t processes, pid_t pid) {
  static std::atomic<uint64_t> counter{0};
  const std::string name =
      kPrefix + std::to_string(::getpid()) + "-" + std::to_string(counter++);
  const std::string memory = std::to_string(memory_bytes);
  const std::string pids = std::to_string(processes);
  Cgroup cgroup;
  const std::vector<Hierarchy> hierarchies = MountedHierarchies();
  for (const Hierarchy& hierarchy : hierarchies) {
    if (!hierarchy.v2) continue;
    for (const std::string& place : Places(hierarchy)) {
      if (!cgroup.kill_.empty() || !OffersLimits(place)) continue;
      cgroup.kill_ = MakeGroup(place, name, pid,
                               {{"memory.max", memory}, {"pids.max", pids}});
      cgroup.memory_v2_ = !cgroup.kill_.empty();
      cgroup.memory_ = cgroup.processes_ = cgroup.kill_;
    }
    // Even without limits a group knows all its members.
    if (cgroup.kill_.empty())
      cgroup.kill_ = MakeGroup(hierarchy.own, name, pid, {});
  }
  if (cgroup.memory_v2_) {
    Set(cgroup.memory_ + "/memory.swap.max", "0");
    Set(cgroup.memory_ + "/memory.oom.group", "1");
    return cgroup;
  }
  for (const Hierarchy& hierarchy : hierarchies) {
    if (hierarchy.Has("memory") && cgroup.memory_.empty())
      cgroup.memory_ = MakeGroup(hierarchy.own, name, pid,
                                 {{"memory.limit_in_bytes", memory}});
    else if (hierarchy.Has("pids") && cgroup.processes_.empty())
      cgroup.processes_ =
          MakeGroup(hierarchy.own, name, pid, {{"pids.max", pids}});
  }
  // Missing in kernels that do not account swap.
  if (cgroup.limits_memory())
    Set(cgroup.memory_ + "/memory.memsw.limit_in_bytes", memory);
  return cgroup;
}

Cgroup::Cgroup(Cgroup&& other) noexcept
    : memory_(std::exchange(other.memory_, {})),
      processes_(std::exchange(other.processes_, {})),
      kill_(std::exchange(other.kill_, {})),
      memory_v2_(other.memory_v2_) {}

Cgroup& Cgroup::operator=(Cgroup&& other) noexcept {
  if (this != &other) {
    Remove();
    memory_ = std::exchange(other.memory_, {});
    processes_ = std::exchange(other.processes_, {});
    kill_ = std::exchange(other.kill_, {});
    memory_v2_ = other.memory_v2_;
  }
  return *this;
}

Cgroup::~Cgroup() { Remove(); }

void Cgroup::Remove() {
  for (const std::string& group :
       std::set<std::string>{memory_, processes_, kill_})
    if (!group.empty()) RemoveGroup(group);
  memory_.clear();
  processes_.clear();
  kill_.clear();
}

void Cgroup::Kill() const {
  if (can_kill()) Set(kill_ + "/cgroup.kill", "1");
}

bool Cgroup::OutOfMemory() const {
  if (!limits_memory()) return false;
  const char* file = memory_v2_ ? "/memory.events" : "/memory.oom_control";
  return Counter(memory_ + file, "oom_kill").value_or(0) > 0;
}

std::optional<uint64_t> Cgroup::PeakMemoryBytes() const {
  if (!limits_memory()) return std::nullopt;
  const char* file = memory_v2_ ? "/memory.peak" : "/memory.max_usage_in_bytes";
  const std::string text = ReadOrEmpty(memory_ + file);
  if (text.empty()) return std::nullopt;
  return std::strtoull(text.c_str(), nullptr, 10);
}

std::string Cgroup::Describe() const {
  const char* version = memory_v2_ ? "v2" : "v1";
  std::vector<std::string> parts;
  if (limits_memory()) parts.push_back(fmt::format("memory ({})", version));
  if (limits_processes()) parts.push_back(fmt::format("pids ({})", version));
  if (can_kill()) parts.push_back("kill (v2)");
  if (parts.empty()) return "none can be made here";
  return fmt::format("{}", fmt::join(parts, ", "));
}

void Cgroup::RemoveStale() {
  for (const Hierarchy& hierarchy : MountedHierarchies())
    for (const std::string& place : Places(hierarchy)) RemoveStaleIn(place);
}

}  // namespace kb::jail
