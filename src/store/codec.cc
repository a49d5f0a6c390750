#include "codec.h"

#include <array>
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

// Of the two intervals, as BindInterval and TakeInterval order them.
std::string SpeedupColumns(const std::string& prefix = "") {
  std::string names;
  for (const char* name :
       {"speedup", "speedup_low", "speedup_high", "wall_speedup",
        "wall_speedup_low", "wall_speedup_high"})
    names += (names.empty() ? "" : ", ") + prefix + name;
  return names;
}

// What could not be read back is refused now, not when it is too late.
Result<void> CheckPolicy(const record::Policy& policy) {
  const auto read = record::PolicyFromJson(ToJson(policy));
  if (!read) return base::Propagate(read.error());
  if (*read != policy)
    return base::Fail("policy \"{}\" does not survive storing", policy.name);
  return base::Ok();
}

Result<void> CheckRuler(const record::Ruler& ruler) {
  KB_ASSIGN(const base::Json json,
            base::ParseJson(base::DumpJson(ToJson(ruler)), "ruler"));
  KB_ASSIGN(const record::Ruler read, record::RulerFromJson(json));
  if (read != ruler) return base::Fail("the ruler does not survive storing");
  return base::Ok();
}

void BindInterval(Statement* insert,
                  const std::optional<record::Interval>& interval) {
  for (const auto member : {&record::Interval::estimate, &record::Interval::low,
                            &record::Interval::high}) {
    if (interval)
      insert->BindReal((*interval).*member);
    else
      insert->BindNull();
  }
}

Result<int64_t> InsertEvaluation(Database* database, const Evaluation& e) {
  KB_TRY(CheckPolicy(e.policy));
  if (e.ruler) KB_TRY(CheckRuler(*e.ruler));
  KB_ASSIGN(const std::string source, InsertBlob(database, e.candidate.source));
  KB_ASSIGN(const std::string log, InsertBlob(database, e.log));
  KB_ASSIGN(const std::string policy,
            InsertBlob(database, base::DumpJson(ToJson(e.policy))));
  KB_ASSIGN(Statement insert,
            database->Prepare(InsertSql(
                "evaluations", ColumnsOf<Evaluation>() +
                                   ", candidate_hash, source_hash, log_hash, "
                                   "policy, policy_hash, " +
                                   SpeedupColumns())));
  PutAll(&insert, e);
  insert.BindText(e.candidate.Hash());
  insert.BindText(source);
  insert.BindText(log);
  insert.BindText(e.policy.name);
  insert.BindText(policy);
  BindInterval(&insert, e.speedup);
  BindInterval(&insert, e.wall_speedup);
  KB_TRY(insert.Run());
  return database->LastRowId();
}

Result<void> InsertTrials(Database* database, int64_t id, const Evaluation& e) {
  KB_ASSIGN(Statement insert, database->Prepare(InsertSql(
                                  "rounds", "evaluation, position, " +
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

struct Side {
  const char* name;
  std::optional<record::TimeSummary> Evaluation::* times;
};
constexpr std::array<Side, 4> kSides{{
    {"reference", &Evaluation::reference_time},
    {"candidate", &Evaluation::candidate_time},
    {"reference_wall", &Evaluation::reference_wall},
    {"candidate_wall", &Evaluation::candidate_wall},
}};

Result<void> InsertTimes(Database* database, int64_t id, const Evaluation& e) {
  KB_ASSIGN(
      Statement insert,
      database->Prepare(InsertSql(
          "times", "evaluation, side, " + ColumnsOf<record::TimeSummary>())));
  for (const Side& side : kSides) {
    const auto& times = e.*side.times;
    if (!times) continue;
    insert.BindInteger(id);
    insert.BindText(side.name);
    PutAll(&insert, *times);
    KB_TRY(insert.Run());
  }
  return base::Ok();
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
  Statement first_trials;  // of the first ruler
  Statement rounds;
  Statement times;
  Statement remarks;
};

Result<DetailQueries> PrepareDetails(Database* database) {
  KB_ASSIGN(Statement first_trials,
            database->Prepare("SELECT seed, timed, in_band, reference_us, "
                              "claimed_us FROM trials WHERE evaluation = ? "
                              "ORDER BY position"));
  KB_ASSIGN(Statement rounds,
            database->Prepare("SELECT " + ColumnsOf<record::Trial>() +
                              " FROM rounds WHERE evaluation = ? "
                              "ORDER BY position"));
  KB_ASSIGN(
      Statement times,
      database->Prepare("SELECT side, " + ColumnsOf<record::TimeSummary>() +
                        " FROM times WHERE evaluation = ?"));
  KB_ASSIGN(Statement remarks,
            database->Prepare("SELECT kind, text FROM remarks WHERE "
                              "evaluation = ? ORDER BY kind, position"));
  return DetailQueries{std::move(first_trials), std::move(rounds),
                       std::move(times), std::move(remarks)};
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

// What a trial of the first ruler has in common with one of today's. A timed
// one is all that says which ruler its evaluation was measured by.
Result<void> TakeFirstTrial(Statement* row, Evaluation* e) {
  record::Trial& trial = e->trials.emplace_back();
  KB_TRY(Take(row, trial.seed));
  KB_TRY(Take(row, trial.timed));
  KB_TRY(Take(row, trial.counts));
  KB_TRY(Take(row, trial.reference_us));
  KB_TRY(Take(row, trial.candidate_us));
  if (trial.timed && !e->ruler) e->ruler.emplace().version = 1;
  return base::Ok();
}

Result<void> TakeTimes(Statement* row, Evaluation* e) {
  const std::string name = row->Text();
  for (const Side& side : kSides)
    if (name == side.name) return TakeAll(row, &(e->*side.times).emplace());
  return base::Fail("times of an unknown side \"{}\"", name);
}

Result<void> SelectDetails(DetailQueries* queries, int64_t id, Evaluation* e) {
  KB_TRY(ForEachRow(&queries->first_trials, id,
                    [&](Statement* row) { return TakeFirstTrial(row, e); }));
  KB_TRY(ForEachRow(&queries->rounds, id, [&](Statement* row) {
    return TakeAll(row, &e->trials.emplace_back());
  }));
  KB_TRY(ForEachRow(&queries->times, id,
                    [&](Statement* row) { return TakeTimes(row, e); }));
  return ForEachRow(&queries->remarks, id, [&](Statement* row) {
    const std::string kind = row->Text();
    auto& texts = kind == "note"      ? e->notes
                  : kind == "checked" ? e->checked
                                      : e->unchecked;
    texts.push_back(row->Text());
    return base::Ok();
  });
}

void TakeInterval(Statement* row, std::optional<record::Interval>* interval) {
  if (row->IsNull()) {
    for (int i = 0; i < 3; ++i) row->Skip();
    return;
  }
  (*interval).emplace();
  (*interval)->estimate = row->Real();
  (*interval)->low = row->Real();
  (*interval)->high = row->Real();
}

// The columns of SelectSql after the id.
Result<void> TakeEvaluation(Statement* row, Evaluation* e) {
  KB_TRY(TakeAll(row, e));
  KB_ASSIGN(e->candidate.source, TakeBlob(row));
  KB_ASSIGN(e->log, TakeBlob(row));
  KB_ASSIGN(const std::string policy_text, TakeBlob(row));
  KB_ASSIGN(const base::Json policy, base::ParseJson(policy_text, "policy"));
  KB_ASSIGN(e->policy, record::PolicyFromJson(policy));
  TakeInterval(row, &e->speedup);
  TakeInterval(row, &e->wall_speedup);
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
        std::pair("version", &filter.version),
        std::pair("model", &filter.model)}) {
    if (!*value) continue;
    sql += fmt::format(" {} e.{} = ?", sql.empty() ? "WHERE" : "AND", column);
    values->push_back(**value);
  }
  if (filter.sample) {
    sql += fmt::format(" {} e.sample = ?", sql.empty() ? "WHERE" : "AND");
    values->push_back(fmt::format("{}", *filter.sample));
  }
  for (const std::string& problem : filter.without_problems) {
    sql += fmt::format(" {} e.problem_id <> ?", sql.empty() ? "WHERE" : "AND");
    values->push_back(problem);
  }
  return sql + " ORDER BY e.id";
}

// record::Outcome::ruler. The first ruler left timed trials and no more.
constexpr const char* kRulerSql =
    "CASE WHEN e.ruler IS NOT NULL THEN json_extract(e.ruler, '$.version') "
    "ELSE EXISTS (SELECT 1 FROM trials WHERE trials.evaluation = e.id AND "
    "trials.timed) END";

Result<void> TakeOfRuler(Statement* row, record::Outcome* outcome) {
  std::optional<record::Ruler> ruler;
  KB_TRY(
      Take(row, JsonColumn<decltype((ruler))>{ruler, record::RulerFromJson}));
  if (!ruler) return base::Ok();
  outcome->floor_us = ruler->floor_us;
  outcome->warm = ruler->warm;
  outcome->first_us = ruler->first_us;
  outcome->ceilings = ruler->ceilings;
  outcome->tf32 = ruler->tf32;
  return base::Ok();
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
    outcome.turn = generation.turn;
    outcome.unusable = generation.status;
    outcome.reason = std::move(generation.reason);
    outcome.usd = generation.usd;
  }
  return base::Ok();
}

std::string SelectSql(const Filter& filter, std::vector<std::string>* values) {
  std::string sql = "SELECT e.id, " + ColumnsOf<Evaluation>("e.") +
                    ", source.bytes, source.hash, log.bytes, log.hash, "
                    "policy.bytes, policy.hash, " +
                    SpeedupColumns("e.") +
                    " FROM evaluations e "
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

Result<std::string> TakeBlob(Statement* row) {
  std::string bytes = row->Text();
  const std::string hash = row->Text();
  if (base::Sha256(bytes) == hash) return bytes;
  return base::Usage(
      "the text {} is not what was stored: the file is damaged; restore a copy",
      hash.substr(0, 16));
}

Result<std::vector<record::Outcome>> SelectOutcomes(Database* database,
                                                    const Filter& filter) {
  std::vector<std::string> values;
  KB_ASSIGN(
      Statement query,
      database->Prepare(
          "SELECT " + ColumnsOf<record::Outcome>("e.") + ", " + kRulerSql +
          ", e.ruler, json_extract(e.provenance, '$.own_share'), times.median, "
          "wall.median, g.usd "
          "FROM evaluations e "
          "LEFT JOIN times ON times.evaluation = e.id "
          "AND times.side = 'candidate' "
          "LEFT JOIN times wall ON wall.evaluation = e.id "
          "AND wall.side = 'candidate_wall' "
          "LEFT JOIN generations g ON g.model = e.model AND g.problem_id = "
          "e.problem_id AND g.problem_hash = e.problem_hash AND g.sample = "
          "e.sample AND g.turn = e.turn" +
          WhereSql(filter, &values)));
  for (const std::string& value : values) query.BindText(value);
  std::vector<record::Outcome> outcomes;
  while (true) {
    KB_ASSIGN(const bool row, query.Step());
    if (!row) break;
    record::Outcome& outcome = outcomes.emplace_back();
    Result<void> read = TakeAll(&query, &outcome);
    if (read) read = Take(&query, outcome.ruler);
    if (read) read = TakeOfRuler(&query, &outcome);
    if (read) read = Take(&query, outcome.own_share);
    if (read) read = Take(&query, outcome.candidate_us);
    if (read) read = Take(&query, outcome.candidate_wall_us);
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
