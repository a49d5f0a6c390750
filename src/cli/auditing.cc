#include "auditing.h"

#include <fmt/format.h>

#include <utility>

#include "os/status_line.h"

namespace kb::cli {

std::vector<AuditLine> AuditEntries(const workplace::Workplace& workplace,
                                    const eval::AuditPlan& plan,
                                    const std::vector<problems::Entry>& entries,
                                    const std::stop_token& stop) {
  std::vector<AuditLine> lines(entries.size());
  std::vector<eval::AuditTask> tasks;
  std::vector<size_t> places;  // of the tasks' lines
  for (size_t i = 0; i < entries.size(); ++i) {
    lines[i].entry = entries[i];
    auto problem =
        workplace.pack.Load(entries[i].id, workplace.size, workplace.fit_bytes);
    if (!problem) {
      lines[i].error = problem.error().message();
      continue;
    }
    eval::AuditTask& task = tasks.emplace_back();
    task.precision = problem->In(workplace.precision);
    task.policy = problem->Adjusted(workplace.policy, task.precision);
    task.problem = std::move(*problem);
    places.push_back(i);
  }
  os::StatusLine status;
  const auto progress = [&](size_t done, size_t of,
                            const eval::AuditTask& task) {
    status.Show(fmt::format("[{}/{}] {} {}", done + 1, of, task.problem.id,
                            task.problem.name));
  };
  auto results = eval::AuditAll(tasks, plan, workplace.session.lanes.front(),
                                progress, stop);
  status.Show("");
  for (size_t i = 0; i < results.size(); ++i) {
    lines[places[i]].audit = std::move(results[i].audit);
    lines[places[i]].error = std::move(results[i].error);
  }
  return lines;
}

}  // namespace kb::cli
