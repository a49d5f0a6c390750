#include "commands/prices.h"

#include <fmt/format.h>

#include <filesystem>

#include "base/clock.h"
#include "base/json.h"
#include "base/text.h"
#include "html/html.h"
#include "models.h"
#include "os/files.h"
#include "os/status_line.h"
#include "record/document.h"
#include "workplace/workplace.h"

namespace kb::cli {
namespace {

using base::Result;

Result<ExitCode> Update(const PricesOptions& options) {
  KB_ASSIGN(const std::string path, UpdatedPricesPath());
  KB_ASSIGN(const llm::PriceTable table,
            llm::FetchPrices(options.url, base::UtcNow().substr(0, 10)));
  if (table.size() == 0)
    return base::Fail("{} lists no prices; the old ones stay", options.url);
  for (const std::string& id : table.left_out())
    os::Note(
        fmt::format("{}: left out, because it has a price that no model has",
                    base::Printable(id)));
  KB_TRY(os::MakeDirectories(std::filesystem::path(path).parent_path()));
  KB_TRY(os::WriteFileAtomically(path, base::DumpJson(table.ToJson(), 1)));
  fmt::print("{} prices of {} in {}\n", table.size(), table.date(), path);
  return ExitCode::kDone;
}

void PrintTable(const llm::PriceTable& table) {
  fmt::print("{:<44} {:>9} {:>9} {:>9}\n", "USD for a million tokens", "in",
             "cached", "out");
  for (const auto& [name, price] : table.models())
    fmt::print("{:<44} {:>9g} {:>9g} {:>9g}\n", name, price.input,
               price.cached.value_or(price.input), price.output);
  fmt::print("{} of {}\n", html::CountOf(table.size(), "price"), table.date());
}

Result<ExitCode> Show(const PricesOptions& options) {
  KB_ASSIGN(const llm::PriceTable table, OpenPrices());
  const auto price =
      options.model.empty() ? std::nullopt : table.Find(options.model);
  if (!options.model.empty() && !price)
    return base::Usage("{}: not among the {} prices of {}", options.model,
                       table.size(), table.date());
  if (options.json) {
    base::Json fields{{"version", KB_VERSION}};
    fields.update(table.ToJson());
    if (price) {
      const std::string name = table.NameOf(options.model);
      fields["models"] = {{name, base::Json(fields["models"][name])}};
    }
    fmt::print("{}\n", base::DumpJson(record::Document("prices", fields), 1));
    return ExitCode::kDone;
  }
  if (!price) {
    PrintTable(table);
    return ExitCode::kDone;
  }
  fmt::print("{}: {} USD in, {} cached, {} out, for a million tokens ({})\n",
             options.model, price->input, price->cached.value_or(price->input),
             price->output, table.date());
  return ExitCode::kDone;
}

}  // namespace

void AddPrices(Command* program, PricesOptions* options, Call* call) {
  Command* prices = program->AddCommand("prices", "what tokens cost");
  prices->NeedCommand(1, 1);
  Command* show = prices->AddCommand("show", "the table, or one model");
  show->Add("model", &options->model, "vendor/name or name");
  show->AddFlag("--json", &options->json, "print JSON for machines");
  Means(show, call, options, Show);
  Command* update =
      prices->AddCommand("update", "fetch a new table from a models endpoint");
  update->Add("--url", &options->url, "an endpoint in OpenRouter's format")
      .Default("https://openrouter.ai/api/v1/models");
  Means(update, call, options, Update);
}

}  // namespace kb::cli
