#include "corpus/table.h"

#include <fmt/format.h>

#include <array>
#include <map>

namespace kb::corpus {
namespace {

using Kind = Outcome::Kind;

struct Counts {
  int64_t programs = 0;
  int64_t gained = 0;
  int64_t not_run = 0;
  int64_t not_judged = 0;
  int64_t correct = 0;
  std::array<int64_t, kLayers> stopped{};
};

void Add(const Line& line, Counts* counts) {
  ++counts->programs;
  switch (line.outcome.kind) {
    case Kind::kStopped:
      ++counts->stopped.at(static_cast<size_t>(*line.outcome.layer));
      break;
    case Kind::kGained:
      ++counts->gained;
      break;
    case Kind::kNotRun:
      ++counts->not_run;
      break;
    case Kind::kNotJudged:
      ++counts->not_judged;
      break;
  }
}

// Of an honest one: nobody asks who stopped it or how fast it is.
void AddHonest(const Line& line, Counts* counts) {
  ++counts->programs;
  if (line.evaluation == nullptr ||
      line.evaluation->verdict == record::Verdict::kInfraError)
    ++counts->not_judged;
  else if (!line.evaluation->verdict)
    ++counts->not_run;
  else if (line.evaluation->verdict == record::Verdict::kCorrect)
    ++counts->correct;
}

// By family, and of all.
std::pair<std::map<std::string, Counts>, Counts> Count(
    const std::vector<Line>& lines, void (*add)(const Line&, Counts*)) {
  std::map<std::string, Counts> families;
  Counts all;
  for (const Line& line : lines) {
    add(line, &families[line.program->family]);
    add(line, &all);
  }
  return {families, all};
}

// A dot for none, so that the eye finds the others.
std::string Cell(int64_t count) {
  return count == 0 ? "." : std::to_string(count);
}

std::string HostileRow(const std::string& name, const Counts& counts) {
  std::string row = fmt::format("{:<20}{:>9}", name, counts.programs);
  for (int i = 0; i < kLayers; ++i) {
    const int width =
        2 + static_cast<int>(
                std::string_view(LayerName(static_cast<Layer>(i))).size());
    row += fmt::format("{:>{}}", Cell(counts.stopped.at(i)), width);
  }
  return row + fmt::format("{:>8}{:>9}{:>12}\n", Cell(counts.gained),
                           Cell(counts.not_run), Cell(counts.not_judged));
}

std::string LegitimateRow(const std::string& name, const Counts& counts) {
  const int64_t alarms =
      counts.programs - counts.correct - counts.not_run - counts.not_judged;
  return fmt::format("{:<20}{:>9}{:>9}{:>14}{:>9}{:>12}\n", name,
                     counts.programs, counts.correct, Cell(alarms),
                     Cell(counts.not_run), Cell(counts.not_judged));
}

}  // namespace

std::string HostileTable(const std::vector<Line>& lines) {
  std::string text = fmt::format("{:<20}{:>9}", "hostile", "programs");
  for (int i = 0; i < kLayers; ++i)
    text += fmt::format("  {}", LayerName(static_cast<Layer>(i)));
  text += fmt::format("{:>8}{:>9}{:>12}\n", "GAINED", "not run", "not judged");
  const auto [families, all] = Count(lines, Add);
  for (const auto& [name, counts] : families) text += HostileRow(name, counts);
  return text + HostileRow("all", all);
}

std::string LegitimateTable(const std::vector<Line>& lines) {
  std::string text = fmt::format("{:<20}{:>9}{:>9}{:>14}{:>9}{:>12}\n",
                                 "legitimate", "programs", "correct",
                                 "false alarms", "not run", "not judged");
  const auto [families, all] = Count(lines, AddHonest);
  for (const auto& [name, counts] : families)
    text += LegitimateRow(name, counts);
  return text + LegitimateRow("all", all);
}

}  // namespace kb::corpus
