#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/mutex.h"
#include "base/result.h"
#include "compile/compiler.h"
#include "eval/task_queue.h"

namespace kb::eval {

// What belongs to the same open problem.
std::string GroupOf(const Task& task);

// A task that was admitted and built.
struct Built {
  static constexpr size_t kNoLane = SIZE_MAX;

  size_t index = 0;
  int64_t order = 0;  // in which its index left the queue first
  Task task;
  std::string group;
  std::vector<std::string> notes;  // of the static check, and of lanes before
  base::Result<compile::Artifact> artifact = base::Fail("{}", "not built");
  size_t failed_on = kNoLane;  // a lane that could not judge it
};

// Built tasks, and which lane gets which. A lane is a number. Thread-safe.
class BuiltQueue {
 public:
  explicit BuiltQueue(size_t lanes) : lanes_(lanes) {}

  void Add(std::unique_ptr<Built> built);
  // The lane opens this group before it takes anything.
  void Reserve(size_t lane, const std::string& group);
  // No more will be added.
  void Close();

  // A task for the lane, on which `group` is open: one of that group, else the
  // one that was added first of those that no other lane has open, else of
  // those of which several wait. Waits for one; null: there will be none any
  // more, or `stop`. Every task that was taken is given to Finished or PutBack.
  std::unique_ptr<Built> Next(size_t lane, const std::string& group,
                              const std::stop_token& stop);
  // The same without waiting; null as well when another lane waits for one.
  std::unique_ptr<Built> TryNext(size_t lane, const std::string& group);
  // One that was taken has its evaluation.
  void Finished();
  // For another lane where the task's failed_on is set, else for any.
  void PutBack(std::unique_ptr<Built> built);

  // Whether others are left that a task could go to.
  bool HasOthers() const;
  // The lane takes no more; false when it is the last, which has to go on.
  bool Leave(size_t lane);

 private:
  using Tasks = std::list<std::unique_ptr<Built>>;

  // `of_its_group`: how many tasks wait.
  std::optional<int> RankLocked(size_t lane, const std::string& group,
                                const Built& built, int64_t of_its_group) const
      KB_REQUIRES(mutex_);
  Tasks::iterator ChooseLocked(size_t lane, const std::string& group)
      KB_REQUIRES(mutex_);
  std::unique_ptr<Built> TakeLocked(size_t lane, const std::string& group)
      KB_REQUIRES(mutex_);

  mutable base::Mutex mutex_;
  base::Condition changed_;
  Tasks tasks_ KB_GUARDED_BY(mutex_);
  bool closed_ KB_GUARDED_BY(mutex_) = false;
  size_t lanes_ KB_GUARDED_BY(mutex_);
  size_t waiting_ KB_GUARDED_BY(mutex_) = 0;
  size_t taken_ KB_GUARDED_BY(mutex_) = 0;  // and neither finished nor back
  std::map<size_t, std::string> groups_ KB_GUARDED_BY(mutex_);  // last taken
};

}  // namespace kb::eval
