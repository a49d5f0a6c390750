#include "linux/jail_plan.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "linux/landlock.h"
#include "linux/seccomp_filter.h"
#include "os/processor_set.h"

namespace kb::jail {
namespace {

namespace fs = std::filesystem;
using base::Fail;
using base::Ok;
using base::Result;

// The folders of programs and libraries. Everything else at the top of the
// host's tree (/root, /home, /opt, /var, /run, /work, ...) stays outside; of
// /etc what programs need to start and compilers to be found.
constexpr const char* kSystemFolders[] = {"/usr",
                                          "/bin",
                                          "/sbin",
                                          "/lib",
                                          "/lib32",
                                          "/lib64",
                                          "/libx32",
                                          "/sys",
                                          "/nix",
                                          "/gnu",
                                          "/etc/alternatives",
                                          "/etc/ld.so.cache",
                                          "/etc/ld.so.conf",
                                          "/etc/ld.so.conf.d",
                                          "/etc/localtime",
                                          "/etc/nsswitch.conf"};

constexpr const char* kPlainDevices[] = {"/dev/null", "/dev/zero", "/dev/full",
                                         "/dev/random", "/dev/urandom"};

bool IsRoot() { return ::geteuid() == 0; }

Result<TreeEntry> MakeEntry(const std::string& source,
                            const std::string& target, bool writable) {
  struct stat status{};
  if (::stat(source.c_str(), &status) != 0)
    return os::FailErrno("bind " + source);
  TreeEntry entry;
  entry.kind = S_ISDIR(status.st_mode)   ? TreeEntry::Kind::kFolder
               : S_ISCHR(status.st_mode) ? TreeEntry::Kind::kDevice
                                         : TreeEntry::Kind::kFile;
  entry.source = source;
  entry.target = target;
  entry.writable = writable;
  return entry;
}

Result<std::vector<TreeEntry>> SystemFolders() {
  std::vector<TreeEntry> entries;
  for (const char* path : kSystemFolders) {
    std::error_code error;
    const fs::file_status status = fs::symlink_status(path, error);
    const bool of_etc = std::string_view(path).starts_with("/etc/");
    if (fs::is_symlink(status) && !of_etc) {
      entries.push_back({TreeEntry::Kind::kLink,
                         fs::read_symlink(path, error).string(), path});
    } else if (fs::exists(path, error)) {
      KB_ASSIGN(TreeEntry entry, MakeEntry(path, path, false));
      entries.push_back(std::move(entry));
    }
  }
  return entries;
}

// "nvidia0": one GPU.
bool IsGpuNode(const std::string& name) {
  const std::string prefix = "nvidia";
  return name.size() > prefix.size() && name.starts_with(prefix) &&
         std::all_of(name.begin() + static_cast<ptrdiff_t>(prefix.size()),
                     name.end(), [](unsigned char c) { return isdigit(c); });
}

// Those that CUDA uses beside the GPUs. nvidia-uvm-tools (profiling of other
// processes' memory) and nvidia-modeset (displays) are not among them.
bool IsCudaNode(const std::string& name) {
  return name == "nvidiactl" || name == "nvidia-uvm" || name == "nvidia-caps";
}

std::vector<std::string> DevicePaths(const JailSpec& spec) {
  std::vector<std::string> paths;
  std::error_code error;
  for (const char* path : kPlainDevices)
    if (fs::exists(path, error)) paths.emplace_back(path);
  if (!spec.gpu) return paths;
  for (const auto& entry : fs::directory_iterator("/dev", error)) {
    const std::string path = entry.path().string();
    const std::string name = entry.path().filename().string();
    const bool chosen = spec.gpu_node.empty() || spec.gpu_node == path;
    if (IsCudaNode(name) || (IsGpuNode(name) && chosen)) paths.push_back(path);
  }
  return paths;
}

// The threads that a user runs now. Those of non-dumpable programs are missed.
uint64_t ThreadsOf(uid_t user) {
  uint64_t threads = 0;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator("/proc", error)) {
    struct stat status{};
    const std::string tasks = entry.path().string() + "/task";
    if (::stat(tasks.c_str(), &status) == 0 && status.st_uid == user)
      threads += status.st_nlink - 2;
  }
  return threads;
}

// RLIMIT_NPROC counts what a user runs anywhere, but in a user namespace.
uint64_t ProcessLimit(const JailPlan& plan) {
  if (plan.level == Isolation::kFull) return plan.limits.processes;
  const uid_t user = plan.identity.change ? plan.identity.user : ::geteuid();
  return plan.limits.processes + ThreadsOf(user);
}

// --- What the caller asks for ---

Result<void> CheckPath(const std::string& path) {
  const fs::path parsed(path);
  const bool up =
      std::find(parsed.begin(), parsed.end(), fs::path("..")) != parsed.end();
  if (!parsed.is_absolute() || up || parsed == "/")
    return Fail("\"{}\" is not an absolute path without \"..\"", path);
  return Ok();
}

// The jailed user has to be able to write there. Only the folder itself
// changes hands.
Result<void> GiveToJailedUser(const std::string& path) {
  if (!IsRoot()) return Ok();
  const os::Fd folder(::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC));
  if (!folder.valid()) return os::FailErrno("open " + path);
  if (::fchown(folder.get(), kOutsideUser, kOutsideUser) != 0)
    return os::FailErrno("chown " + path);
  return Ok();
}

// Whether the jailed user, who is no friend of the owner, gets to `path`.
Result<void> CheckReachable(const std::string& path) {
  fs::path sofar;
  for (const fs::path& part : fs::path(path)) {
    sofar /= part;
    struct stat status{};
    if (::stat(sofar.c_str(), &status) != 0)
      return os::FailErrno("bind " + path);
    const mode_t wanted = S_ISDIR(status.st_mode) ? S_IXOTH : S_IROTH;
    if (status.st_uid != kOutsideUser && (status.st_mode & wanted) == 0)
      return Fail(
          "isolation level reduced runs foreign code as user {}, who cannot "
          "read {} because of the permissions of {}: chmod o+rx it, or move "
          "what is needed elsewhere",
          kOutsideUser, path, sofar.string());
  }
  return Ok();
}

Result<void> PlanBinds(const JailSpec& spec, JailPlan& plan) {
  for (const Bind& bind : spec.binds) {
    const std::string& target = bind.target.empty() ? bind.source : bind.target;
    KB_TRY(CheckPath(bind.source));
    KB_TRY(CheckPath(target));
    if (bind.writable) KB_TRY(GiveToJailedUser(bind.source));
    if (plan.level != Isolation::kFull && target != bind.source)
      return Fail("isolation level {} cannot show {} as {}",
                  IsolationName(plan.level), bind.source, target);
    if (plan.level == Isolation::kReduced && IsRoot())
      KB_TRY(CheckReachable(bind.source));
    KB_ASSIGN(TreeEntry entry, MakeEntry(bind.source, target, bind.writable));
    plan.binds.push_back(std::move(entry));
  }
  // A folder sorts before what is mounted inside it.
  std::stable_sort(plan.binds.begin(), plan.binds.end(),
                   [](const TreeEntry& a, const TreeEntry& b) {
                     return a.target < b.target;
                   });
  return Ok();
}

Identity PlanIdentity(Isolation level) {
  Identity identity;
  const bool root = IsRoot();
  if (level == Isolation::kFull) {
    identity.change = true;
    identity.user = identity.group = kInsideUser;
    identity.clear_groups = root;
    identity.user_map =
        fmt::format("{} {} 1", kInsideUser, root ? kOutsideUser : ::geteuid());
    identity.group_map =
        fmt::format("{} {} 1", kInsideUser, root ? kOutsideUser : ::getegid());
  } else if (level == Isolation::kReduced && root) {
    identity.change = identity.clear_groups = true;
    identity.user = identity.group = kOutsideUser;
  }
  return identity;
}

Result<void> PlanFullTree(const JailSpec& spec, JailPlan& plan) {
  KB_ASSIGN(plan.system, SystemFolders());
  for (const std::string& path : DevicePaths(spec)) {
    KB_ASSIGN(TreeEntry entry, MakeEntry(path, path, false));
    entry.kind = entry.kind == TreeEntry::Kind::kFolder
                     ? TreeEntry::Kind::kFolder
                     : TreeEntry::Kind::kDevice;
    plan.devices.push_back(std::move(entry));
  }
  plan.tmp = "/tmp";
  plan.tmp_options = fmt::format("mode=1777,size={}", spec.limits.tmp_bytes);
  return Ok();
}

// The same view as the full level, with the host's names.
Result<os::Fd> ReducedRuleset(const JailSpec& spec, const JailPlan& plan) {
  using Access = LandlockRule::Access;
  // CUDA does not start (error 304) unless it can write below /proc/self.
  // There is no rule for "self" that children of the program would share, and
  // the kernel asks for more than write access to touch another process.
  std::vector<LandlockRule> rules = {
      {"/proc", spec.gpu ? Access::kUpdate : Access::kRead},
      {plan.tmp, Access::kReadWrite}};
  std::error_code error;
  for (const char* path : kSystemFolders)
    if (fs::exists(path, error)) rules.push_back({path, Access::kRead});
  for (const std::string& path : DevicePaths(spec))
    rules.push_back({path, Access::kDevice});
  for (const TreeEntry& bind : plan.binds)
    rules.push_back(
        {bind.source, bind.writable ? Access::kReadWrite : Access::kRead});
  return MakeLandlockRuleset(rules);
}

Result<void> PlanHostTree(const JailSpec& spec, JailPlan& plan) {
  // What the sweep of descendants reads.
  if (::access("/proc/thread-self/children", R_OK) != 0)
    return os::FailErrno(
        fmt::format("isolation level {} needs /proc/thread-self/children",
                    IsolationName(plan.level)));
  KB_ASSIGN(plan.private_tmp, PrivateTmp::Create());
  plan.tmp = plan.private_tmp.path();
  if (plan.level != Isolation::kReduced) return Ok();
  if (plan.identity.change)
    KB_TRY(plan.private_tmp.GiveTo(plan.identity.user, plan.identity.group));
  KB_ASSIGN(plan.ruleset, ReducedRuleset(spec, plan));
  return Ok();
}

// Replaces every "{TMP}".
std::string WithTmp(std::string text, const std::string& tmp) {
  const std::string token = "{TMP}";
  for (size_t at = text.find(token); at != std::string::npos;
       at = text.find(token, at + tmp.size()))
    text.replace(at, token.size(), tmp);
  return text;
}

void PlanExec(const JailSpec& spec, JailPlan& plan) {
  std::vector<std::string> argv;
  for (const std::string& text : spec.argv)
    argv.push_back(WithTmp(text, plan.tmp));
  std::map<std::string, std::string> environment;
  for (const auto& [name, value] : spec.env)
    environment[name] = WithTmp(value, plan.tmp);
  if (plan.level != Isolation::kFull) {
    environment.emplace("TMPDIR", plan.tmp);
    environment.emplace("HOME", plan.tmp);
  }
  plan.program = argv[0];
  plan.argv = os::CStrings(std::move(argv));
  plan.environment = os::CStrings::Environment(environment);
  plan.working_directory = spec.working_directory == "/tmp"
                               ? plan.tmp
                               : WithTmp(spec.working_directory, plan.tmp);
  plan.inherited = spec.inherited_fds;
}

}  // namespace

Result<JailPlan> MakeJailPlan(const JailSpec& spec) {
  if (spec.argv.empty() || !spec.argv[0].starts_with('/'))
    return Fail("a jailed program is named by its absolute path, not \"{}\"",
                spec.argv.empty() ? "" : spec.argv[0]);
  JailPlan plan;
  plan.level = spec.isolation;
  plan.gpu = spec.gpu;
  plan.limits = spec.limits;
  if (!spec.processors.empty())
    plan.processors = os::ProcessorSet(spec.processors);
  plan.identity = PlanIdentity(plan.level);
  plan.process_limit = ProcessLimit(plan);
  KB_TRY(PlanBinds(spec, plan));
  if (plan.level == Isolation::kFull)
    KB_TRY(PlanFullTree(spec, plan));
  else
    KB_TRY(PlanHostTree(spec, plan));
  if (plan.level != Isolation::kNone) {
    KB_ASSIGN(plan.filter, SeccompFilter(plan.level));
  }
  if (!spec.tmp_seed_source.empty()) {
    KB_ASSIGN(plan.seed, TmpSeed::Read(spec.tmp_seed_source, spec.tmp_seed_name,
                                       spec.limits.tmp_bytes));
  }
  PlanExec(spec, plan);
  return plan;
}

uint32_t OwnerOfWritten(Isolation level) {
  return IsRoot() && level != Isolation::kNone ? kOutsideUser : ::geteuid();
}

}  // namespace kb::jail
