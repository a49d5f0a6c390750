#include "codec.h"

#include <string>
#include <string_view>
#include <utility>

#include "base/hash.h"
#include "base/json.h"
#include "columns.h"

namespace kb::store {
namespace {

using base::Result;
using record::Evaluation;

// --- Rows of one evaluation ---

// What could not be read back is refused now, not when it is too late.
Result<void> CheckPolicy(const record::Policy& policy) {
  const auto read = record::PolicyFromJson(ToJson(policy));
  if (!read) return base::Propagate(read.error());
  if (*read != policy)
    return base::Fail("policy \"{}\" does not survive storing", policy.name);
  return base::Ok();
}

Result<int64_t> InsertEvaluation(Database* database, const Evaluation& e) {
  KB_TRY(CheckPolicy(e.policy));
  KB_ASSIGN(const std::string source, InsertBlob(database, e.candidate.source));
  KB_ASSIGN(const std::string log, InsertBlob(database, e.log));
  KB_ASSIGN(const std::string policy,
            InsertBlob(database, base::DumpJson(ToJson(e.policy))));
  KB_ASSIGN(Statement insert,
            database->Prepare(InsertSql(
                "evaluations", ColumnsOf<Evaluation>() +
                                   ", candidate_hash, source_hash, log_hash, "
                                   "policy, policy_hash, speedup, speedup_low, "
                                   "speedup_high")));
  PutAll(&insert, e);
  insert.BindText(e.candidate.Hash());
  insert.BindText(source);
  insert.BindText(log);
  insert.BindText(e.policy.name);
  insert.BindText(policy);
  for (const auto member : {&record::Interval::estimate, &record::Interval::low,
                            &record::Interval::high}) {
    if (e.speedup)
      insert.BindReal((*e.speedup).*member);
    else
      insert.BindNull();
  }
  KB_TRY(insert.Run());
  return database->LastRowId();
}

Result<void> InsertTrials(Database* database, int64_t id, const Evaluation& e) {
  KB_ASSIGN(Statement insert, database->Prepare(InsertSql(
                                  "trials", "evaluation, position, " +
                                                ColumnsOf<record::Trial>())));
  int64_t position = 0;
  for (const record::Trial& trial : e.trials) {
    insert.BindInteger(id);
    insert.BindInteger(position++);
    PutAll(&insert, trial);
    KB_TRY(insert.Run());
  }
  return base::Ok();
}

Result<void> InsertTimes(Database* database, int64_t id, const Evaluation& e) {
  KB_ASSIGN(
      Statement insert,
      database->Prepare(InsertSql(
          "times", "evaluation, side, " + ColumnsOf<record::TimeSummary>())));
  for (const auto& [side, times] :
       {std::pair("reference", &e.reference_time),
        std::pair("candidate", &e.candidate_time)}) {
    if (!*times) continue;
    insert.BindInteger(id);
    insert.BindText(side);
    PutAll(&insert, **times);
    KB_TRY(insert.Run());
  }
  return base::Ok();
}

Result<void> InsertCalibration(Database* database, int64_t id,
                               const Evaluation& e) {
  if (!e.calibration) return base::Ok();
  KB_ASSIGN(
      Statement insert,
      database->Prepare(InsertSql(
          "calibrations", "evaluation, " + ColumnsOf<record::Calibration>())));
  insert.BindInteger(id);
  PutAll(&insert, *e.calibration);
  return insert.Run();
}

Result<void> InsertRemarks(Database* database, int64_t id,
                           const Evaluation& e) {
  KB_ASSIGN(Statement insert,
            database->Prepare(
                InsertSql("remarks", "evaluation, kind, position, text")));
  for (const auto& [kind, texts] :
       {std::pair("note", &e.notes), std::pair("checked", &e.checked),
        std::pair("unchecked", &e.unchecked)}) {
    int64_t position = 0;
    for (const std::string& text : *texts) {
      insert.BindInteger(id);
      insert.BindText(kind);
      insert.BindInteger(position++);
      insert.BindText(text);
      KB_TRY(insert.Run());
    }
  }
  return base::Ok();
}

// Queries for what belongs to one evaluation, prepared once.
struct DetailQueries {
  Statement trials;
  Statement times;
  Statement calibration;
  Statement remarks;
};

Result<DetailQueries> PrepareDetails(Database* database) {
  KB_ASSIGN(Statement trials,
            database->Prepare("SELECT " + ColumnsOf<record::Trial>() +
                              " FROM trials WHERE evaluation = ? "
                              "ORDER BY position"));
  KB_ASSIGN(
      Statement times,
      database->Prepare("SELECT side, " + ColumnsOf<record::TimeSummary>() +
                        " FROM times WHERE evaluation = ?"));
  KB_ASSIGN(Statement calibration,
            database->Prepare("SELECT " + ColumnsOf<record::Calibration>() +
                              " FROM calibrations WHERE evaluation = ?"));
  KB_ASSIGN(Statement remarks,
            database->Prepare("SELECT kind, text FROM remarks WHERE "
                              "evaluation = ? ORDER BY kind, position"));
  return DetailQueries{std::move(trials), std::move(times),
                       std::move(calibration), std::move(remarks)};
}

// Calls `read` for every row of a query about evaluation `id`.
template <typename F>
Result<void> ForEachRow(Statement* query, int64_t id, F&& read) {
  query->Reset();
  query->BindInteger(id);
  while (true) {
    KB_ASSIGN(const bool row, query->Step());
    if (!row) return base::Ok();
    KB_TRY(read(query));
  }
}

Result<void> SelectDetails(DetailQueries* queries, int64_t id, Evaluation* e) {
  KB_TRY(ForEachRow(&queries->trials, id, [&](Statement* row) {
    return TakeAll(row, &e->trials.emplace_back());
  }));
  KB_TRY(ForEachRow(&queries->times, id, [&](Statement* row) {
    auto& times =
        row->Text() == "reference" ? e->reference_time : e->candidate_time;
    return TakeAll(row, &times.emplace());
  }));
  KB_TRY(ForEachRow(&queries->calibration, id, [&](Statement* row) {
    return TakeAll(row, &e->calibration.emplace());
  }));
  return ForEachRow(&queries->remarks, id, [&](Statement* row) {
    const std::string kind = row->Text();
    auto& texts = kind == "note"      ? e->notes
                  : kind == "checked" ? e->checked
                                      : e->unchecked;
    texts.push_back(row->Text());
    return base::Ok();
  });
}

// The columns of SelectSql after the id.
Result<void> TakeEvaluation(Statement* row, Evaluation* e) {
  KB_TRY(TakeAll(row, e));
  e->candidate.source = row->Text();
  e->log = row->Text();
  KB_ASSIGN(const base::Json policy, base::ParseJson(row->Text(), "policy"));
  KB_ASSIGN(e->policy, record::PolicyFromJson(policy));
  if (row->IsNull()) return base::Ok();
  record::Interval& speedup = e->speedup.emplace();
  speedup.estimate = row->Real();
  speedup.low = row->Real();
  speedup.high = row->Real();
  return base::Ok();
}

// The restriction and the order; appends what to bind.
std::string WhereSql(const Filter& filter, std::vector<std::string>* values) {
  std::string sql;
  if (filter.id) {
    sql = " WHERE e.id = ?";
    values->push_back(fmt::format("{}", *filter.id));
  }
  for (const auto& [column, value] :
       {std::pair("problem_id", &filter.problem_id),
        std::pair("problem_hash", &filter.problem_hash),
        std::pair("candidate_hash", &filter.candidate_hash),
        std::pair("device_name", &filter.device_name),
        std::pair("policy", &filter.policy),
        std::pair("version", &filter.version)}) {
    if (!*value) continue;
    sql +=
        fmt::format(" {} e.{} = ?", values->empty() ? "WHERE" : "AND", column);
    values->push_back(**value);
  }
  return sql + " ORDER BY e.id";
}

// The answers that hold no candidate.
Result<void> AddUnusable(Database* database,
                         std::vector<record::Outcome>* outcomes) {
  GenerationFilter light;
  light.with_texts = false;
  KB_ASSIGN(auto generations, SelectGenerations(database, light));
  for (record::Generation& generation : generations) {
    if (generation.status == record::GenerationStatus::kComplete) continue;
    record::Outcome& outcome = outcomes->emplace_back();
    outcome.problem_id = std::move(generation.problem_id);
    outcome.problem_hash = std::move(generation.problem_hash);
    outcome.model = std::move(generation.model);
    outcome.sample = generation.sample;
    outcome.unusable = generation.status;
    outcome.reason = std::move(generation.reason);
    outcome.usd = generation.usd;
  }
  return base::Ok();
}

std::string SelectSql(const Filter& filter, std::vector<std::string>* values) {
  std::string sql =
      "SELECT e.id, " + ColumnsOf<Evaluation>("e.") +
      ", source.bytes, log.bytes, policy.bytes, e.speedup, e.speedup_low, "
      "e.speedup_high FROM evaluations e "
      "JOIN blobs source ON source.hash = e.source_hash "
      "JOIN blobs log ON log.hash = e.log_hash "
      "JOIN blobs policy ON policy.hash = e.policy_hash";
  return sql + WhereSql(filter, values);
}

}  // namespace

Result<int64_t> Insert(Database* database, const Evaluation& evaluation) {
  KB_ASSIGN(const int64_t id, InsertEvaluation(database, evaluation));
  KB_TRY(InsertTrials(database, id, evaluation));
  KB_TRY(InsertTimes(database, id, evaluation));
  KB_TRY(InsertCalibration(database, id, evaluation));
  KB_TRY(InsertRemarks(database, id, evaluation));
  return id;
}

Result<std::string> InsertBlob(Database* database, std::string_view bytes) {
  std::string hash = base::Sha256(bytes);
  KB_ASSIGN(Statement insert,
            database->Prepare("INSERT OR IGNORE INTO blobs (hash, bytes) "
                              "VALUES (?, ?)"));
  insert.BindText(hash);
  insert.BindBlob(bytes);
  KB_TRY(insert.Run());
  return hash;
}

Result<std::vector<record::Outcome>> SelectOutcomes(Database* database,
                                                    const Filter& filter) {
  std::vector<std::string> values;
  KB_ASSIGN(
      Statement query,
      database->Prepare(
          "SELECT " + ColumnsOf<record::Outcome>("e.") +
          ", times.median, g.usd FROM evaluations e "
          "LEFT JOIN times ON times.evaluation = e.id "
          "AND times.side = 'candidate' "
          "LEFT JOIN generations g ON g.model = e.model AND g.problem_id = "
          "e.problem_id AND g.problem_hash = e.problem_hash AND g.sample = "
          "e.sample" +
          WhereSql(filter, &values)));
  for (const std::string& value : values) query.BindText(value);
  std::vector<record::Outcome> outcomes;
  while (true) {
    KB_ASSIGN(const bool row, query.Step());
    if (!row) break;
    record::Outcome& outcome = outcomes.emplace_back();
    Result<void> read = TakeAll(&query, &outcome);
    if (read) read = Take(&query, outcome.candidate_us);
    if (read) read = Take(&query, outcome.usd);
    if (!read) return base::Propagate(read.error().Wrap(database->path()));
  }
  if (values.empty()) KB_TRY(AddUnusable(database, &outcomes));
  return outcomes;
}

Result<std::vector<Evaluation>> Select(Database* database,
                                       const Filter& filter) {
  std::vector<std::string> values;
  KB_ASSIGN(Statement query, database->Prepare(SelectSql(filter, &values)));
  for (const std::string& value : values) query.BindText(value);
  KB_ASSIGN(DetailQueries details, PrepareDetails(database));

  std::vector<Evaluation> evaluations;
  while (true) {
    KB_ASSIGN(const bool row, query.Step());
    if (!row) return evaluations;
    const int64_t id = query.Integer();
    Evaluation& evaluation = evaluations.emplace_back();
    Result<void> read = TakeEvaluation(&query, &evaluation);
    if (read) read = SelectDetails(&details, id, &evaluation);
    if (!read)
      return base::Propagate(read.error().Wrap(
          fmt::format("{}: evaluation {}", database->path(), id)));
  }
}

}  // namespace kb::store
