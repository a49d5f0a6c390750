#include "commands/demo.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/json.h"
#include "corpus/program.h"
#include "html/html.h"
#include "os/colour.h"
#include "os/files.h"
#include "os/status_line.h"
#include "record/document.h"
#include "report/evaluations.h"
#include "shared_options.h"
#include "task_of_program.h"
#include "workplace/names.h"
#include "workplace/workplace.h"

namespace kb::cli {
namespace {

using base::Result;
using workplace::Workplace;

size_t Width() {
  winsize size{};
  if (isatty(STDOUT_FILENO) == 1 &&
      ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0)
    return size.ws_col;
  return 0;
}

// What each should be, and what is not, with the reason to say so.
struct Expected {
  std::vector<std::string>
      names;  // the verdict's, when that is as it should be
  std::vector<std::string> unexpected;  // one line each
};

Expected CompareWithHeaders(const std::vector<corpus::Program>& samples,
                            const std::vector<record::Evaluation>& evaluations,
                            const std::vector<size_t>& indices,
                            const std::string& device_kind) {
  Expected expected;
  for (size_t i = 0; i < evaluations.size(); ++i) {
    const problems::Expectation& header = samples[indices[i]].expectation;
    const bool fine = header.Allows(device_kind, evaluations[i].verdict);
    if (!fine)
      expected.unexpected.push_back(
          fmt::format("{}: {}, expected {}", evaluations[i].candidate.path,
                      workplace::NameOf(evaluations[i].verdict),
                      header.Describe(device_kind)));
    expected.names.push_back(fine ? workplace::NameOf(evaluations[i].verdict)
                                  : header.Describe(device_kind));
  }
  return expected;
}

void PrintTable(const std::vector<record::Evaluation>& evaluations,
                const Expected& expected) {
  report::TableOptions table;
  table.width = Width();
  table.colour = os::HasColour(STDOUT_FILENO);
  table.expected = expected.names;
  fmt::print("{}", report::RenderTable(evaluations, table));
  for (const std::string& line : expected.unexpected)
    fmt::print("not as expected: {}\n", line);
}

Result<void> WriteReport(const std::string& path,
                         const std::vector<record::Evaluation>& evaluations,
                         const Expected& expected, const Workplace& workplace) {
  report::PageFacts facts;
  facts.title = "The samples of kernelbench";
  facts.expected = expected.names;
  facts.generated_at = base::UtcNow();
  facts.version = KB_VERSION;
  facts.isolation = workplace.session.isolation;
  facts.device.device = workplace.session.lanes.front().device;
  for (const record::Evaluation& evaluation : evaluations)
    if (!evaluation.device.name.empty()) facts.device = evaluation.device;
  return os::WriteFileAtomically(path, report::RenderHtml(evaluations, facts));
}

Result<ExitCode> Run(const DemoOptions& options) {
  KB_ASSIGN(const Workplace workplace, workplace::SetUp(options.judge));
  std::string folder = options.samples;
  if (folder.empty()) {
    KB_ASSIGN(folder, os::InstallRoot());
    folder += "/samples";
  }
  KB_ASSIGN(const auto samples, corpus::Load(folder, options.filter));
  if (samples.empty())
    return base::Usage("{}: no sample's path contains \"{}\"", folder,
                       options.filter);
  std::vector<eval::Task> tasks;
  for (const corpus::Program& sample : samples) {
    KB_ASSIGN(eval::Task task, TaskOf(sample, workplace));
    tasks.push_back(std::move(task));
  }
  KB_TRY(os::MakeDirectories(options.out));
  const std::string store = options.judge.no_store ? ""
                            : options.judge.store.empty()
                                ? options.out + "/run.db"
                                : options.judge.store;
  os::Note(fmt::format(
      "judging {} on {}, isolation {}", html::CountOf(samples.size(), "sample"),
      workplace.session.lanes.front().device, workplace.session.isolation));
  const workplace::Judged judged = workplace::Judge(tasks, workplace, store);

  std::vector<record::Evaluation> evaluations;
  std::vector<size_t> indices;
  for (size_t i = 0; i < judged.evaluations.size(); ++i) {
    if (!judged.evaluations[i]) continue;
    evaluations.push_back(*judged.evaluations[i]);
    indices.push_back(i);
  }
  const Expected expected =
      CompareWithHeaders(samples, evaluations, indices, workplace.device_kind);
  const std::string report = options.out + "/report.html";
  KB_TRY(WriteReport(report, evaluations, expected, workplace));
  base::Json list = base::Json::array();
  for (const auto& evaluation : evaluations)
    list.push_back(record::ToJson(evaluation));
  const std::string json = base::DumpJson(
      record::Document("evaluations", {{"version", KB_VERSION},
                                       {"interrupted", judged.interrupted},
                                       {"evaluations", std::move(list)}}));
  KB_TRY(os::WriteFileAtomically(options.out + "/evaluations.json", json));
  if (options.judge.json) {
    fmt::print("{}\n", json);
  } else {
    PrintTable(evaluations, expected);
    fmt::print("{} of {} as expected; report: {}\n",
               evaluations.size() - expected.unexpected.size(),
               html::CountOf(evaluations.size(), "sample"), report);
  }
  if (judged.interrupted)
    fmt::print(stderr, "interrupted: {} of {} judged\n", evaluations.size(),
               samples.size());
  if (judged.interrupted || judged.error) return workplace::ExitCodeOf(judged);
  return expected.unexpected.empty() ? ExitCode::kDone : ExitCode::kNo;
}

}  // namespace

void AddDemo(Command* program, DemoOptions* options, Call* call) {
  Command* demo = program->AddCommand(
      "demo", "judge every sample, print a table, write an HTML report");
  demo->Footer(
      "example:\n  kernelbench demo --device cpu --filter softmax\n\nexit "
      "code: "
      "0 all as expected, 1 not all, 2 wrong usage, 3 our failure, 130 "
      "interrupted");
  demo->Add("--samples", &options->samples, "folder of samples");
  demo->Add("--out", &options->out, "folder for report.html and run.db")
      .ShowDefault();
  demo->Add("--filter", &options->filter,
            "only samples whose path contains this");
  AddJudgeOptions(demo, &options->judge);
  Means(demo, call, options, Run);
}

}  // namespace kb::cli
