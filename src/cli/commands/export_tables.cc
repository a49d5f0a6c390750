#include "commands/export_tables.h"

#include <fmt/format.h>

#include <filesystem>
#include <map>
#include <tuple>

#include "html/html.h"
#include "interop/dataset.h"
#include "os/files.h"
#include "run/files.h"
#include "workplace/datasets.h"
#include "workplace/workplace.h"

namespace kb::cli {
namespace {

namespace fs = std::filesystem;
using base::Result;
using record::Evaluation;

// What results say of problems, with the sources that the pack has under the
// same hash.
interop::Table ProblemsOf(const std::vector<Evaluation>& evaluations,
                          const problems::Pack& pack) {
  using Key = std::tuple<std::string, record::Size, std::string>;
  std::map<Key, std::optional<record::Problem>> found;
  for (const Evaluation& e : evaluations) {
    const auto [place, is_new] =
        found.try_emplace({e.problem_id, e.size, e.problem_hash});
    if (!is_new) continue;
    auto problem = pack.Load(e.problem_id, e.size);
    if (problem && problem->Hash() == e.problem_hash)
      place->second = std::move(*problem);
  }
  std::vector<interop::NamedProblem> named;
  for (const auto& [key, problem] : found)
    named.push_back({std::get<0>(key), std::get<2>(key), std::get<1>(key),
                     problem ? &*problem : nullptr});
  return interop::ProblemTable(named);
}

Result<void> Write(const interop::Table& table, const std::string& folder,
                   const std::string& format) {
  const std::string path =
      (fs::path(folder) / fmt::format("{}.{}", table.name, format)).string();
  if (format == "parquet") {
    KB_TRY(workplace::WriteParquet(table.AsJsonLines(), table.columns, path));
  } else {
    KB_TRY(os::WriteFileAtomically(path, table.AsJsonLines()));
  }
  fmt::print("{}: {}\n", path, html::CountOf(table.rows.size(), "row"));
  return base::Ok();
}

}  // namespace

Result<ExitCode> ExportTables(const ExportOptions& options) {
  KB_ASSIGN(const store::Store store, run::OpenRun(options.run));
  KB_TRY(run::CheckOutIsNew(options.out));
  KB_ASSIGN(const problems::Pack pack, workplace::OpenPack(options.pack));
  KB_ASSIGN(const auto evaluations, store.Evaluations());
  store::GenerationFilter light;
  light.with_texts = false;
  KB_ASSIGN(const auto answers, store.Generations(light));
  KB_TRY(os::MakeDirectories(options.out));
  const std::string run = fs::path(options.run).stem();
  for (const interop::Table& table :
       {interop::ResultTable(run, evaluations, answers),
        ProblemsOf(evaluations, pack), interop::CandidateTable(evaluations)})
    KB_TRY(Write(table, options.out, options.format));
  return ExitCode::kDone;
}

}  // namespace kb::cli
