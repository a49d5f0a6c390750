#include "linux/jail_tree.h"

#include <fcntl.h>
#include <limits.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace kb::jail {
namespace {

constexpr unsigned long kPlain = MS_NOSUID | MS_NODEV;

void Collect(TreeEntry& entry, const JailReporter& reporter) {
  if (entry.kind == TreeEntry::Kind::kLink) return;
  const char* source = entry.source.c_str();
  // Recursive, because drivers are often mounted one by one, and because a user
  // namespace may not look below the mounts of its parent.
  entry.tree = static_cast<int>(
      ::syscall(SYS_open_tree, AT_FDCWD, source,
                OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | AT_RECURSIVE));
  reporter.Require(entry.tree >= 0, "open_tree", source);
  mount_attr attributes{};
  attributes.attr_set = MOUNT_ATTR_NOSUID;
  if (!entry.writable) attributes.attr_set |= MOUNT_ATTR_RDONLY;
  const bool device = entry.kind == TreeEntry::Kind::kDevice ||
                      entry.target.starts_with("/dev/");
  if (!device) attributes.attr_set |= MOUNT_ATTR_NODEV;
  reporter.Require(
      ::syscall(SYS_mount_setattr, entry.tree, "", AT_EMPTY_PATH | AT_RECURSIVE,
                &attributes, sizeof attributes) == 0,
      "mount_setattr", source);
}

void CollectAll(std::vector<TreeEntry>& entries, const JailReporter& reporter) {
  for (TreeEntry& entry : entries) Collect(entry, reporter);
}

void MakeFolder(const char* path, const JailReporter& reporter) {
  reporter.Require(::mkdir(path, 0755) == 0 || errno == EEXIST, "mkdir", path);
}

// Every folder above the last part of `path`.
void MakeParents(const char* path, const JailReporter& reporter) {
  char part[PATH_MAX];
  const size_t length = ::strlen(path);
  errno = ENAMETOOLONG;
  reporter.Require(length < sizeof part, "mkdir", path);
  for (size_t i = 0; i < length; ++i) {
    part[i] = path[i];
    part[i + 1] = '\0';
    if (i > 0 && path[i + 1] == '/') MakeFolder(part, reporter);
  }
}

// Something for a mount to lie on. Where the target exists already, inside a
// read-only system folder, it stays.
void MakeMountPoint(const TreeEntry& entry, const JailReporter& reporter) {
  const char* target = entry.target.c_str();
  struct stat status{};
  if (::stat(target, &status) == 0) return;
  MakeParents(target, reporter);
  if (entry.kind == TreeEntry::Kind::kFolder)
    return MakeFolder(target, reporter);
  const int fd = ::open(target, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
  reporter.Require(fd >= 0, "create", target);
  ::close(fd);
}

void Attach(const TreeEntry& entry, const JailReporter& reporter) {
  const char* target = entry.target.c_str();
  if (entry.kind == TreeEntry::Kind::kLink)
    return reporter.Require(::symlink(entry.source.c_str(), target) == 0,
                            "symlink", target);
  MakeMountPoint(entry, reporter);
  reporter.Require(::syscall(SYS_move_mount, entry.tree, "", AT_FDCWD, target,
                             MOVE_MOUNT_F_EMPTY_PATH) == 0,
                   "move_mount", target);
  ::close(entry.tree);
}

void AttachAll(const std::vector<TreeEntry>& entries,
               const JailReporter& reporter) {
  for (const TreeEntry& entry : entries) Attach(entry, reporter);
}

void MountTmpfs(const char* target, const char* options,
                const JailReporter& reporter) {
  MakeFolder(target, reporter);
  reporter.Require(::mount("tmpfs", target, "tmpfs", kPlain, options) == 0,
                   "mount tmpfs", target);
}

// The new root is made on /tmp because that exists everywhere. The new /proc
// is mounted while the old one is in sight: the kernel asks for that.
void PivotToEmptyRoot(const JailReporter& reporter) {
  MountTmpfs("/tmp", "mode=755,size=16m", reporter);
  MakeFolder("/tmp/proc", reporter);
  reporter.Require(
      ::mount("proc", "/tmp/proc", "proc", kPlain | MS_NOEXEC, "") == 0,
      "mount /proc");
  reporter.Require(::chdir("/tmp") == 0, "chdir", "/tmp");
  reporter.Require(::syscall(SYS_pivot_root, ".", ".") == 0, "pivot_root");
  reporter.Require(::umount2(".", MNT_DETACH) == 0, "umount old root");
  reporter.Require(::chdir("/") == 0, "chdir", "/");
}

void MountDevices(const JailPlan& plan, const JailReporter& reporter) {
  MountTmpfs("/dev", "mode=755,size=64k", reporter);
  MountTmpfs("/dev/shm", plan.tmp_options.c_str(), reporter);
  AttachAll(plan.devices, reporter);
  constexpr const char* kLinks[][2] = {{"/proc/self/fd", "/dev/fd"},
                                       {"/proc/self/fd/0", "/dev/stdin"},
                                       {"/proc/self/fd/1", "/dev/stdout"},
                                       {"/proc/self/fd/2", "/dev/stderr"}};
  for (const auto& link : kLinks)
    reporter.Require(::symlink(link[0], link[1]) == 0, "symlink", link[1]);
}

void MakeReadOnly(const char* path, const JailReporter& reporter) {
  reporter.Require(
      ::mount(nullptr, path, nullptr, MS_REMOUNT | MS_BIND | MS_RDONLY | kPlain,
              nullptr) == 0,
      "remount read-only", path);
}

}  // namespace

void CollectTree(JailPlan& plan, const JailReporter& reporter) {
  reporter.Require(
      ::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0,
      "make mounts private");
  CollectAll(plan.system, reporter);
  CollectAll(plan.devices, reporter);
  CollectAll(plan.binds, reporter);
}

void EnterTree(const JailPlan& plan, const JailReporter& reporter) {
  ::umask(022);
  PivotToEmptyRoot(reporter);
  AttachAll(plan.system, reporter);
  MountTmpfs("/tmp", plan.tmp_options.c_str(), reporter);
  MountDevices(plan, reporter);
  AttachAll(plan.binds, reporter);
  MakeReadOnly("/dev", reporter);
  MakeReadOnly("/", reporter);
}

}  // namespace kb::jail
