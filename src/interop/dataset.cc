#include "interop/dataset.h"

#include <cmath>
#include <functional>
#include <optional>
#include <set>

#include "record/document.h"

namespace kb::interop {
namespace {

using base::Json;
using record::Evaluation;

constexpr const char* kText = "VARCHAR";
constexpr const char* kNumber = "DOUBLE";
constexpr const char* kInteger = "BIGINT";
constexpr const char* kTruth = "BOOLEAN";
constexpr const char* kTexts = "VARCHAR[]";

// One column of a table of T.
template <typename T>
struct Column {
  const char* name;
  const char* type;
  std::function<Json(const T&)> value;
};

template <typename T>
Table MakeTable(const char* name, const char* schema,
                const std::vector<Column<T>>& columns,
                const std::vector<T>& items) {
  Table table;
  table.name = name;
  table.columns.emplace_back("schema", kText);
  for (const Column<T>& column : columns)
    table.columns.emplace_back(column.name, column.type);
  for (const T& item : items) {
    Json row = Json::object();
    for (const Column<T>& column : columns)
      row[column.name] = column.value(item);
    table.rows.push_back(record::Document(schema, row));
  }
  return table;
}

Json Text(const std::string& text) {
  return text.empty() ? Json(nullptr) : Json(text);
}

Json Number(double value) {
  return std::isfinite(value) ? Json(value) : Json(nullptr);
}

Json Part(const std::optional<record::Interval>& interval,
          double record::Interval::* part) {
  return interval ? Number((*interval).*part) : Json(nullptr);
}

Json Median(const std::optional<record::TimeSummary>& time) {
  return time ? Number(time->median) : Json(nullptr);
}

struct Sample {
  std::string run;
  const Evaluation* evaluation = nullptr;      // one of the two
  const record::Generation* answer = nullptr;  // that held no candidate
};

using Of = std::function<Json(const Evaluation&)>;

// Null for an answer without a candidate.
Column<Sample> Judged(const char* name, const char* type, const Of& value) {
  return {name, type, [value](const Sample& result) {
            return result.evaluation == nullptr ? Json(nullptr)
                                                : value(*result.evaluation);
          }};
}

// Of whichever of the two there is.
template <typename A, typename B>
Column<Sample> Either(const char* name, const char* type, A evaluation,
                      B answer) {
  return {name, type, [=](const Sample& result) {
            return result.evaluation != nullptr ? evaluation(*result.evaluation)
                                                : answer(*result.answer);
          }};
}

using record::Generation;
using record::Interval;

std::vector<Column<Sample>> IdentityColumns() {
  return {
      {"run", kText, [](const Sample& r) { return Json(r.run); }},
      Either(
          "problem", kText,
          [](const Evaluation& e) { return Json(e.problem_id); },
          [](const Generation& g) { return Json(g.problem_id); }),
      Either(
          "problem_hash", kText,
          [](const Evaluation& e) { return Text(e.problem_hash); },
          [](const Generation& g) { return Text(g.problem_hash); }),
      Either(
          "model", kText, [](const Evaluation& e) { return Text(e.model); },
          [](const Generation& g) { return Text(g.model); }),
      Either(
          "sample", kInteger,
          [](const Evaluation& e) {
            return e.sample < 0 ? Json(nullptr) : Json(e.sample);
          },
          [](const Generation& g) { return Json(g.sample); }),
      Either(
          "turn", kInteger, [](const Evaluation& e) { return Json(e.turn); },
          [](const Generation& g) { return Json(g.turn); }),
      Judged("confirms", kInteger,
             [](const Evaluation& e) { return Json(e.confirms ? 1 : 0); }),
      {"answer", kText,
       [](const Sample& r) {
         return r.answer == nullptr
                    ? Json(nullptr)
                    : Json(record::GenerationStatusName(r.answer->status));
       }},
      Judged("candidate_hash", kText,
             [](const Evaluation& e) { return Json(e.candidate.Hash()); }),
      Judged("candidate", kText,
             [](const Evaluation& e) { return Json(e.candidate.name); }),
      Judged("verdict", kText,
             [](const Evaluation& e) {
               return e.verdict ? Json(record::VerdictName(*e.verdict))
                                : Json(nullptr);
             }),
      Either(
          "reason", kText, [](const Evaluation& e) { return Text(e.reason); },
          [](const Generation& g) { return Text(g.reason); })};
}

std::vector<Column<Sample>> SettingColumns() {
  return {Judged("size", kText,
                 [](const Evaluation& e) {
                   return Json(record::SizeName(e.size));
                 }),
          Judged("precision", kText,
                 [](const Evaluation& e) {
                   return Json(record::PrecisionName(e.precision));
                 }),
          Judged("policy", kText,
                 [](const Evaluation& e) { return Text(e.policy.name); }),
          Judged("device", kText,
                 [](const Evaluation& e) { return Text(e.device.device); }),
          Judged("device_name", kText,
                 [](const Evaluation& e) { return Text(e.device.name); }),
          Judged("driver", kText,
                 [](const Evaluation& e) { return Text(e.device.driver); }),
          Judged("torch", kText,
                 [](const Evaluation& e) { return Text(e.device.torch); }),
          Judged("isolation", kText,
                 [](const Evaluation& e) { return Text(e.isolation); }),
          Judged("interpreted", kTruth,
                 [](const Evaluation& e) { return Json(e.interpreted); }),
          Judged("version", kText,
                 [](const Evaluation& e) { return Text(e.version); }),
          Either(
              "started_at", kText,
              [](const Evaluation& e) { return Text(e.started_at); },
              [](const Generation& g) { return Text(g.started_at); })};
}

std::vector<Column<Sample>> TimeColumns() {
  const auto interval = [](const char* name,
                           std::optional<Interval> Evaluation::* which,
                           double Interval::* part) {
    return Judged(name, kNumber,
                  [=](const Evaluation& e) { return Part(e.*which, part); });
  };
  const auto time = [](const char* name,
                       std::optional<record::TimeSummary> Evaluation::* which) {
    return Judged(name, kNumber,
                  [=](const Evaluation& e) { return Median(e.*which); });
  };
  return {
      interval("speedup", &Evaluation::speedup, &Interval::estimate),
      interval("speedup_low", &Evaluation::speedup, &Interval::low),
      interval("speedup_high", &Evaluation::speedup, &Interval::high),
      time("reference_us", &Evaluation::reference_time),
      time("candidate_us", &Evaluation::candidate_time),
      interval("wall_speedup", &Evaluation::wall_speedup, &Interval::estimate),
      interval("wall_speedup_low", &Evaluation::wall_speedup, &Interval::low),
      interval("wall_speedup_high", &Evaluation::wall_speedup, &Interval::high),
      time("reference_wall_us", &Evaluation::reference_wall),
      time("candidate_wall_us", &Evaluation::candidate_wall),
      Judged("timed_trials", kInteger,
             [](const Evaluation& e) {
               return e.candidate_time ? Json(e.candidate_time->count)
                                       : Json(nullptr);
             }),
      Judged("ruler", kInteger,
             [](const Evaluation& e) {
               return e.ruler ? Json(e.ruler->version) : Json(nullptr);
             }),
      Judged("compile_seconds", kNumber,
             [](const Evaluation& e) { return Number(e.compile_seconds); })};
}

}  // namespace

std::string Table::AsJsonLines() const {
  std::string lines;
  for (const Json& row : rows) lines += base::DumpJson(row) + "\n";
  return lines;
}

Table ResultTable(const std::string& run,
                  const std::vector<Evaluation>& evaluations,
                  const std::vector<Generation>& answers) {
  std::vector<Column<Sample>> columns = IdentityColumns();
  for (const auto& more : {SettingColumns(), TimeColumns()})
    columns.insert(columns.end(), more.begin(), more.end());
  std::vector<Sample> results;
  for (const Evaluation& evaluation : evaluations)
    results.push_back({run, &evaluation, nullptr});
  for (const Generation& answer : answers)
    if (answer.status != record::GenerationStatus::kComplete)
      results.push_back({run, nullptr, &answer});
  return MakeTable("results", "dataset_result", columns, results);
}

Table ProblemTable(const std::vector<NamedProblem>& problems) {
  const auto known = [](const char* name, const char* type, auto value) {
    return Column<NamedProblem>{name, type, [value](const NamedProblem& named) {
                                  return named.problem == nullptr
                                             ? Json(nullptr)
                                             : value(*named.problem);
                                }};
  };
  const std::vector<Column<NamedProblem>> columns{
      {"problem", kText, [](const NamedProblem& p) { return Json(p.id); }},
      {"problem_hash", kText,
       [](const NamedProblem& p) { return Text(p.hash); }},
      {"size", kText,
       [](const NamedProblem& p) { return Json(record::SizeName(p.size)); }},
      known("name", kText,
            [](const record::Problem& p) { return Json(p.name); }),
      known("tags", kTexts,
            [](const record::Problem& p) { return Json(p.tags); }),
      known("flags", kTexts,
            [](const record::Problem& p) {
              Json flags = Json::array();
              for (const record::Flag& flag : p.flags)
                flags.push_back(flag.flag);
              return flags;
            }),
      known("source", kText,
            [](const record::Problem& p) { return Json(p.source); })};
  return MakeTable("problems", "dataset_problem", columns, problems);
}

Table CandidateTable(const std::vector<Evaluation>& evaluations) {
  using record::Candidate;
  const std::vector<Column<Candidate>> columns{
      {"candidate_hash", kText,
       [](const Candidate& c) { return Json(c.Hash()); }},
      {"candidate", kText, [](const Candidate& c) { return Json(c.name); }},
      {"track", kText,
       [](const Candidate& c) { return Json(record::TrackName(c.track)); }},
      {"backend", kText,
       [](const Candidate& c) { return Json(record::BackendName(c.backend)); }},
      {"source", kText, [](const Candidate& c) { return Json(c.source); }}};
  std::set<std::string> seen;
  std::vector<Candidate> candidates;
  for (const Evaluation& evaluation : evaluations)
    if (seen.insert(evaluation.candidate.Hash()).second)
      candidates.push_back(evaluation.candidate);
  return MakeTable("candidates", "dataset_candidate", columns, candidates);
}

}  // namespace kb::interop
