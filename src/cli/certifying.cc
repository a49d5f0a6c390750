#include "certifying.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <list>

#include "corpus/program.h"
#include "html/html.h"
#include "os/files.h"
#include "os/status_line.h"
#include "task_of_program.h"
#include "workplace/names.h"
#include "workplace/selection.h"
#include "workplace/workplace.h"

namespace kb::cli {
namespace {

using base::Json;
using base::Result;
using workplace::Workplace;

// One of every way in which judging can be wrong: a good kernel refused, each
// kind of bad one let through, and what a hostile one may reach.
constexpr const char* kFixtures[] = {
    "level1_19_relu/cached_by_pointer.py",
    "level1_19_relu/compile_error.cpp",
    "level1_19_relu/float4_grid_stride.cu",
    "level1_19_relu/halved_event_time.cu",
    "level1_19_relu/infinite_kernel.cu",
    "level1_19_relu/loop.cpp",
    "level1_19_relu/misses_tail.cpp",
    "level1_19_relu/nan_output.py",
    "level1_19_relu/out_of_bounds_write.cu",
    "level1_19_relu/patched_allclose.py",
    "level1_19_relu/raises_system_exit.py",
    "level1_19_relu/reads_installation.py",
    "level1_19_relu/segfault.cpp",
    "level1_19_relu/side_stream.cu",
    "level1_19_relu/sleeps_forever.py",
    "level1_19_relu/torch_clamp.py",
    "level1_19_relu/torch_only_own_kernels.py",
    "level1_19_relu/wrong_shape.py",
    "level1_19_relu/zeroes_its_input.py",
    "level1_23_softmax/zeros.py",
    "level1_47_sum/off_by_one.cpp",
    "level1_47_sum/whole_blocks_only.cu",
};

struct Sample {
  corpus::Program program;
  eval::Task task;
};

// The fixtures that have a verdict on this device.
Result<std::vector<Sample>> LoadFixtures(const std::string& folder,
                                         const Workplace& workplace) {
  std::vector<Sample> samples;
  for (const char* name : kFixtures) {
    KB_ASSIGN(corpus::Program program, corpus::LoadFile(folder, name));
    if (program.expectation.Allows(workplace.device_kind, std::nullopt))
      continue;
    KB_ASSIGN(eval::Task task, TaskOf(program, workplace));
    samples.push_back({std::move(program), std::move(task)});
  }
  return samples;
}

Result<std::vector<eval::Task>> AaTasks(const Workplace& workplace) {
  workplace::SelectionOptions few;
  few.problems = aa::FewProblems();
  KB_ASSIGN(const auto entries, workplace::Selected(workplace.pack, few));
  return aa::Tasks(workplace, entries);
}

Fixture Compare(const Sample& sample,
                const std::optional<record::Evaluation>& evaluation,
                const std::string& device_kind) {
  const std::filesystem::path path(sample.task.candidate.path);
  Fixture fixture;
  fixture.sample = (path.parent_path().filename() / path.filename()).string();
  fixture.problem = sample.task.problem.id;
  fixture.expected = sample.program.expectation.Describe(device_kind);
  fixture.verdict = "not judged";
  if (!evaluation) return fixture;
  fixture.verdict = workplace::NameOf(evaluation->verdict);
  fixture.reason = evaluation->reason;
  fixture.as_expected =
      sample.program.expectation.Allows(device_kind, evaluation->verdict);
  return fixture;
}

// References against themselves: once where that is enough, again where chance
// may be why the ruler does not look straight. All measurements count.
Result<void> MeasureRuler(const Workplace& workplace,
                          Certification* certification) {
  constexpr int kMostMeasurements = 3;
  KB_ASSIGN(const auto references, AaTasks(workplace));
  os::Note(fmt::format("timing {} against themselves",
                       html::CountOf(references.size(), "reference")));
  std::list<workplace::Judged> judged;  // what the lines point into
  std::vector<aa::Line> lines;
  while (judged.size() < kMostMeasurements) {
    judged.push_back(workplace::Judge(references, workplace, ""));
    const workplace::Judged& timed = judged.back();
    if (timed.error) return base::Propagate(*timed.error);
    std::ranges::copy(aa::LinesOf(references, timed),
                      std::back_inserter(lines));
    certification->ruler = aa::Summarize(lines);
    certification->interrupted = timed.interrupted;
    const aa::Summary& ruler = *certification->ruler;
    if (timed.interrupted || ruler.failed > 0 ||
        aa::IsStraight(ruler, certification->bounds))
      break;
    os::Note(fmt::format("not straight by {} alone: timing them again",
                         html::CountOf(judged.size(), "measurement")));
  }
  return base::Ok();
}

}  // namespace

int64_t Certification::AsExpected() const {
  return std::ranges::count_if(fixtures, &Fixture::as_expected);
}

bool Certification::Passed() const {
  return !interrupted && !fixtures.empty() &&
         AsExpected() == std::ssize(fixtures) && ruler && ruler->measured > 0 &&
         aa::IsStraight(*ruler, bounds);
}

Result<Certification> Certify(const std::string& device,
                              const std::string& samples) {
  workplace::JudgeOptions options;
  options.device = device;
  KB_ASSIGN(const Workplace workplace, workplace::SetUp(options));
  KB_ASSIGN(const std::string root, os::InstallRoot());
  KB_ASSIGN(
      const auto fixtures,
      LoadFixtures(samples.empty() ? root + "/samples" : samples, workplace));
  std::vector<eval::Task> tasks;
  for (const Sample& sample : fixtures) tasks.push_back(sample.task);
  os::Note(fmt::format("judging {} with a known verdict on {}",
                       html::CountOf(tasks.size(), "kernel"),
                       workplace.session.lanes.front().device));
  const workplace::Judged judged = workplace::Judge(tasks, workplace, "");
  if (judged.error) return base::Propagate(*judged.error);
  Certification certification;
  certification.device = workplace.session.lanes.front().device;
  certification.isolation = workplace.session.isolation;
  certification.interrupted = judged.interrupted;
  for (size_t i = 0; i < fixtures.size(); ++i)
    certification.fixtures.push_back(
        Compare(fixtures[i], judged.evaluations.at(i), workplace.device_kind));
  certification.bounds = aa::BoundsFor(workplace.device_kind == "cuda");
  if (judged.interrupted || certification.AsExpected() < std::ssize(fixtures))
    return certification;
  KB_TRY(MeasureRuler(workplace, &certification));
  return certification;
}

std::string Describe(const Certification& c) {
  std::string text = fmt::format("\ncertification of {}, isolation {}\n",
                                 c.device, c.isolation);
  for (const Fixture& fixture : c.fixtures) {
    text += fmt::format("  {:<7}  {}: {}\n",
                        fixture.as_expected ? "works" : "WRONG", fixture.sample,
                        fixture.verdict);
    if (!fixture.as_expected)
      text += fmt::format("           expected {}; {}\n", fixture.expected,
                          fixture.reason);
  }
  text += fmt::format("\n{} of {} known verdicts\n", c.AsExpected(),
                      c.fixtures.size());
  if (c.ruler)
    text += fmt::format("\nreferences against themselves:\n{}",
                        aa::Describe(*c.ruler, c.bounds));
  return text + fmt::format("\n{} is {}certified.\n", c.device,
                            c.Passed() ? "" : "NOT ");
}

Json ToJson(const Certification& c) {
  Json fixtures = Json::array();
  for (const Fixture& fixture : c.fixtures)
    fixtures.push_back({{"sample", fixture.sample},
                        {"problem", fixture.problem},
                        {"expected", fixture.expected},
                        {"verdict", fixture.verdict},
                        {"reason", fixture.reason},
                        {"as_expected", fixture.as_expected}});
  return {{"version", KB_VERSION},
          {"device", c.device},
          {"isolation", c.isolation},
          {"certified", c.Passed()},
          {"fixtures", std::move(fixtures)},
          {"ruler", c.ruler ? aa::ToJson(*c.ruler, c.bounds) : Json(nullptr)}};
}

}  // namespace kb::cli
