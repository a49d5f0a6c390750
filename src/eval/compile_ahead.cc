#include "compile_ahead.h"

#include "base/text.h"

namespace kb::eval {
namespace {

class Ahead : public Observer {
 public:
  explicit Ahead(const std::function<void(size_t, const std::string&)>& on_step)
      : on_step_(on_step) {}

  void OnStep(size_t index, const std::string& step) override {
    on_step_(index, "compiled ahead: " + step);
  }
  void OnDone(size_t index, const record::Evaluation& evaluation) override {
    if (!evaluation.trials.empty()) ran_.insert(index);
    const std::string why =
        base::ShortenLine(base::Gist(evaluation.reason), 120);
    OnStep(index, evaluation.trials.empty() ? "failed: " + why : "done");
  }
  std::set<size_t> ran() const { return ran_; }

 private:
  const std::function<void(size_t, const std::string&)>& on_step_;
  std::set<size_t> ran_;
};

// As often as `at_once`. Nobody is timed, so that no processor is kept free.
SessionOptions Crowded(const SessionOptions& session, size_t at_once) {
  SessionOptions crowded = session;
  crowded.lanes.clear();
  crowded.profile = nullptr;  // it has one line for each device
  for (size_t i = 0; i < at_once; ++i)
    for (lane::LaneOptions lane : session.lanes) {
      lane::Processors& all = lane.processors;
      all.timed = all.oracle = all.others;
      crowded.lanes.push_back(std::move(lane));
    }
  return crowded;
}

}  // namespace

std::set<size_t> CompileAhead(
    const std::vector<std::pair<size_t, Task>>& references, size_t at_once,
    const compile::Compiler& compiler, const SessionOptions& session,
    const std::function<void(size_t index, const std::string& step)>& on_step,
    const std::stop_token& stop) {
  TaskQueue queue;
  for (const auto& [index, reference] : references) {
    Task task = reference;
    task.policy.public_trials = 1;
    task.policy.min_timed_trials = task.policy.max_timed_trials = 0;
    task.policy.processes = 1;
    queue.Add(index, std::move(task));
  }
  queue.Close();
  Ahead ahead(on_step);
  // Whatever ends it before its time ends the session that times as well, or
  // concerns nobody there.
  (void)JudgeQueue(&queue, compiler, Crowded(session, at_once), &ahead, stop);
  return ahead.ran();
}

}  // namespace kb::eval
