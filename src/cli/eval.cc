#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include "base/json.h"
#include "options.h"
#include "os/files.h"
#include "problems/expectation.h"
#include "report/details.h"
#include "report/evaluations.h"
#include "run/files.h"
#include "source_check/classify.h"
#include "workplace/names.h"
#include "workplace/workplace.h"

namespace kb::cli {
namespace {

using base::Result;
using workplace::Workplace;

// The problem that the candidate's header names.
Result<std::string> ProblemFromHeader(const std::string& path,
                                      const std::string& source) {
  const auto header = problems::ParseExpectation(path, source);
  if (header) return header->problem;
  return base::Usage(
      "{}: name the problem with --problem ID (kernelbench problems list)",
      path);
}

Result<eval::Task> MakeTask(const std::string& path, const EvalOptions& options,
                            const Workplace& workplace) {
  const auto source = os::ReadFile(path, uint64_t{4} << 20);
  if (!source) return base::Usage("{}", source.error().message());
  eval::Task task;
  KB_ASSIGN(task.candidate, source_check::Classify(path, *source));
  std::string id = options.problem;
  if (id.empty()) {
    KB_ASSIGN(id, ProblemFromHeader(path, *source));
  }
  KB_ASSIGN(task.problem,
            workplace.pack.Load(id, workplace.size, workplace.fit_bytes));
  task.precision = workplace.precision;
  task.policy = task.problem.Adjusted(workplace.policy, task.precision);
  if (!task.problem.Supports(task.precision))
    return base::Usage(
        "{} does not run in {}, only in {}; see --precision", id,
        record::PrecisionName(task.precision),
        fmt::join(workplace::NamesOf(task.problem.precisions), ", "));
  return task;
}

void PrintJson(const workplace::Judged& judged) {
  base::Json list = base::Json::array();
  for (const auto& evaluation : judged.evaluations)
    if (evaluation) list.push_back(record::ToJson(*evaluation));
  fmt::print("{}\n", base::DumpJson({{"version", KB_VERSION},
                                     {"interrupted", judged.interrupted},
                                     {"evaluations", std::move(list)}},
                                    2));
}

Result<int> Run(const EvalOptions& options) {
  KB_ASSIGN(const Workplace workplace, workplace::SetUp(options.judge));
  KB_TRY(workplace::CheckIsolation(workplace.policy, workplace));
  std::vector<eval::Task> tasks;
  for (const std::string& path : options.candidates) {
    KB_ASSIGN(eval::Task task, MakeTask(path, options, workplace));
    tasks.push_back(std::move(task));
  }
  std::string store = options.judge.store;
  if (store.empty() && !options.judge.no_store) {
    KB_ASSIGN(store, run::DefaultStorePath());
  }
  const workplace::Judged judged = workplace::Judge(tasks, workplace, store);
  if (options.judge.json) {
    PrintJson(judged);
    return workplace::ExitCode(judged);
  }
  const bool colour = isatty(STDOUT_FILENO) == 1;
  for (const auto& evaluation : judged.evaluations)
    if (evaluation)
      fmt::print("{}\n", report::RenderDetails(*evaluation, colour));
  if (!store.empty()) fmt::print("kept in {}\n", store);
  return workplace::ExitCode(judged);
}

}  // namespace

int RunEval(const EvalOptions& options) {
  const Result<int> code = Run(options);
  return code ? *code : workplace::Complain(code.error());
}

}  // namespace kb::cli
