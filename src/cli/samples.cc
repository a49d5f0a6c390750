#include "samples.h"

#include <algorithm>
#include <filesystem>

#include "os/files.h"
#include "source_check/classify.h"

namespace kb::cli {

using base::Result;
using workplace::Workplace;

Result<std::vector<std::string>> FindSamples(const std::string& folder,
                                             const std::string& filter) {
  std::vector<std::string> paths;
  std::error_code error;
  std::filesystem::recursive_directory_iterator entries(folder, error);
  if (error)
    return base::Usage("{}: cannot be read: {}", folder, error.message());
  for (const auto& entry : entries) {
    const std::string extension = entry.path().extension();
    const bool source =
        extension == ".cu" || extension == ".cpp" || extension == ".py";
    if (entry.is_regular_file() && source &&
        entry.path().string().find(filter) != std::string::npos)
      paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  if (paths.empty())
    return base::Usage("{}: no sample's path contains \"{}\"", folder, filter);
  return paths;
}

Result<Sample> LoadSample(const std::string& path,
                          const std::optional<int64_t>& trials,
                          const Workplace& workplace) {
  KB_ASSIGN(const std::string source, os::ReadFile(path, uint64_t{4} << 20));
  Sample sample;
  KB_ASSIGN(sample.expectation, problems::ParseExpectation(path, source));
  KB_ASSIGN(sample.task.candidate, source_check::Classify(path, source));
  const problems::Expectation& header = sample.expectation;
  KB_ASSIGN(
      sample.task.problem,
      workplace.pack.Load(header.problem, header.size.value_or(workplace.size),
                          workplace.fit_bytes));
  sample.task.precision = header.precision.value_or(workplace.precision);
  KB_ASSIGN(record::Policy policy, header.PolicyFrom(workplace.policy.name));
  sample.task.policy =
      sample.task.problem.Adjusted(std::move(policy), sample.task.precision);
  // A torch extension takes minutes of processor time, which a busy machine
  // does not give within the usual limit.
  sample.task.policy.compile_seconds = 3600;
  if (trials)
    sample.task.policy.min_timed_trials = sample.task.policy.max_timed_trials =
        *trials;
  KB_TRY(workplace::CheckIsolation(sample.task.policy, workplace));
  return sample;
}

}  // namespace kb::cli
