// How long scores of a large run take: writes a store of COUNT evaluations
// (each with five trials), then reads and scores it as `kernelbench analyze`
// does.
//
//   analyze_bench [COUNT = 100000] [FILE that the store is kept in]
#include <fmt/format.h>

#include <chrono>
#include <cstdlib>

#include "analysis/scores.h"
#include "base/random.h"
#include "os/files.h"
#include "store/store.h"

namespace kb {
namespace {

using Clock = std::chrono::steady_clock;

double SecondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

record::Evaluation NewEvaluation(base::Sequence* random, int64_t i) {
  record::Evaluation evaluation;
  evaluation.problem_id =
      fmt::format("level{}/{}", 1 + i % 3, 1 + random->Below(80));
  evaluation.problem_hash = evaluation.problem_id;
  evaluation.candidate.name = fmt::format("sample{}.cu", i);
  evaluation.candidate.source = fmt::format("// {}", i);
  evaluation.verdict = static_cast<record::Verdict>(random->Below(3));
  if (evaluation.verdict == record::Verdict::kCorrect) {
    const double speedup = 0.1 + static_cast<double>(random->Below(300)) / 100;
    evaluation.speedup = record::Interval{speedup, speedup, speedup};
  }
  evaluation.trials.resize(5);
  return evaluation;
}

base::Result<void> Run(int64_t count, std::string path) {
  KB_ASSIGN(const os::TempDir folder, os::TempDir::Create("kb-bench"));
  if (path.empty()) path = folder.path() + "/run.db";
  KB_ASSIGN(store::Store store, store::Store::Open(path));
  base::Sequence random(1);
  const auto writing = Clock::now();
  for (int64_t i = 0; i < count; ++i)
    KB_TRY(store.Append(NewEvaluation(&random, i)));
  fmt::print("append   {:8.2f} s\n", SecondsSince(writing));
  const auto reading = Clock::now();
  KB_ASSIGN(std::vector<record::Outcome> outcomes, store.Outcomes());
  fmt::print("outcomes {:8.2f} s\n", SecondsSince(reading));
  const auto scoring = Clock::now();
  std::vector<analysis::Entry> entries;
  for (record::Outcome& outcome : outcomes)
    entries.push_back({"run", std::move(outcome), {}, false, {}});
  const analysis::Scores scores = analysis::Score(entries, {});
  fmt::print("scores   {:8.2f} s of {} samples\n", SecondsSince(scoring),
             scores.rows.front().samples);
  return base::Ok();
}

}  // namespace
}  // namespace kb

int main(int argc, char** argv) {
  const auto result = kb::Run(argc > 1 ? std::atoll(argv[1]) : 100'000,
                              argc > 2 ? argv[2] : "");
  if (result) return 0;
  fmt::print(stderr, "analyze_bench: {}\n", result.error().message());
  return 1;
}
