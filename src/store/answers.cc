// Rows of generations and of baselines.

#include <array>
#include <map>
#include <string>
#include <utility>

#include "codec.h"
#include "columns.h"

namespace kb::store {
namespace {

using base::Result;
using record::Baseline;
using record::Generation;

constexpr const char* kTextColumns =
    ", prompt_hash, answer_hash, reasoning_hash, state_hash, source_hash";

// What two measurements of the same thing share.
std::string KeyOf(const Baseline& baseline) {
  return fmt::format("{}\n{}\n{}\n{}\n{}\n{}\n{}\n{}\n{}\n", baseline.ruler,
                     baseline.problem_id, baseline.problem_hash,
                     record::SizeName(baseline.size),
                     record::PrecisionName(baseline.precision),
                     baseline.device.name, baseline.device.driver,
                     baseline.device.torch, baseline.tf32) +
         record::BaselineModeName(baseline.mode);
}

std::string GenerationSql(const GenerationFilter& filter) {
  std::string sql = "SELECT " + ColumnsOf<Generation>("g.");
  if (filter.with_texts)
    for (const char* text :
         {"prompt", "answer", "reasoning", "state", "source"})
      sql += fmt::format(", {0}.bytes, {0}.hash", text);
  sql += " FROM generations g";
  if (filter.with_texts)
    for (const char* text :
         {"prompt", "answer", "reasoning", "state", "source"})
      sql += fmt::format(" JOIN blobs {0} ON {0}.hash = g.{0}_hash", text);
  std::string word = " WHERE";
  for (const auto& [column, there] :
       {std::pair("model", filter.model.has_value()),
        std::pair("problem_id", filter.problem_id.has_value()),
        std::pair("sample", filter.sample.has_value()),
        std::pair("turn", filter.turn.has_value())}) {
    if (!there) continue;
    sql += fmt::format("{} g.{} = ?", std::exchange(word, " AND"), column);
  }
  return sql + " ORDER BY g.id";
}

}  // namespace

Result<int64_t> Insert(Database* database, const Generation& generation) {
  std::array<std::string, 5> hashes;
  size_t i = 0;
  for (const std::string* text :
       {&generation.prompt, &generation.answer, &generation.reasoning,
        &generation.state, &generation.source}) {
    KB_ASSIGN(hashes.at(i), InsertBlob(database, *text));
    ++i;
  }
  KB_ASSIGN(Statement insert,
            database->Prepare(InsertSql(
                "generations", ColumnsOf<Generation>() + kTextColumns)));
  PutAll(&insert, generation);
  for (const std::string& hash : hashes) insert.BindText(hash);
  KB_TRY(insert.Run());
  return database->LastRowId();
}

Result<std::vector<Generation>> SelectGenerations(
    Database* database, const GenerationFilter& filter) {
  KB_ASSIGN(Statement query, database->Prepare(GenerationSql(filter)));
  if (filter.model) query.BindText(*filter.model);
  if (filter.problem_id) query.BindText(*filter.problem_id);
  if (filter.sample) query.BindInteger(*filter.sample);
  if (filter.turn) query.BindInteger(*filter.turn);
  std::vector<Generation> generations;
  while (true) {
    KB_ASSIGN(const bool row, query.Step());
    if (!row) return generations;
    Generation& generation = generations.emplace_back();
    const auto read = TakeAll(&query, &generation);
    if (!read) return base::Propagate(read.error().Wrap(database->path()));
    if (!filter.with_texts) continue;
    for (std::string* text :
         {&generation.prompt, &generation.answer, &generation.reasoning,
          &generation.state, &generation.source}) {
      auto kept = TakeBlob(&query);
      if (!kept) return base::Propagate(kept.error().Wrap(database->path()));
      *text = std::move(*kept);
    }
  }
}

Result<int64_t> Insert(Database* database, const Baseline& baseline) {
  KB_ASSIGN(Statement insert,
            database->Prepare(InsertSql("baselines", ColumnsOf<Baseline>())));
  PutAll(&insert, baseline);
  KB_TRY(insert.Run());
  return database->LastRowId();
}

Result<std::vector<Baseline>> SelectBaselines(Database* database) {
  KB_ASSIGN(Statement query,
            database->Prepare("SELECT " + ColumnsOf<Baseline>() +
                              " FROM baselines ORDER BY id"));
  std::vector<Baseline> baselines;
  std::map<std::string, size_t> places;
  while (true) {
    KB_ASSIGN(const bool row, query.Step());
    if (!row) return baselines;
    Baseline baseline;
    const auto read = TakeAll(&query, &baseline);
    if (!read) return base::Propagate(read.error().Wrap(database->path()));
    const auto [place, fresh] =
        places.emplace(KeyOf(baseline), baselines.size());
    if (fresh)
      baselines.push_back(std::move(baseline));
    else
      baselines[place->second] = std::move(baseline);
  }
}

}  // namespace kb::store
