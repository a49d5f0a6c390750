#include <fmt/format.h>

#include <filesystem>

#include "base/clock.h"
#include "base/json.h"
#include "models.h"
#include "options.h"
#include "os/files.h"
#include "workplace/workplace.h"

namespace kb::cli {
namespace {

using base::Result;

Result<int> Update(const PricesOptions& options) {
  KB_ASSIGN(const std::string path, UpdatedPricesPath());
  KB_ASSIGN(const llm::PriceTable table,
            llm::FetchPrices(options.url, base::UtcNow().substr(0, 10)));
  if (table.size() == 0)
    return base::Fail("{} lists no prices; the old ones stay", options.url);
  KB_TRY(os::MakeDirectories(std::filesystem::path(path).parent_path()));
  KB_TRY(os::WriteFileAtomically(path, base::DumpJson(table.ToJson(), 1)));
  fmt::print("{} prices of {} in {}\n", table.size(), table.date(), path);
  return 0;
}

Result<int> Show(const PricesOptions& options) {
  KB_ASSIGN(const llm::PriceTable table, OpenPrices());
  if (options.model.empty()) {
    fmt::print("{}\n", base::DumpJson(table.ToJson(), 1));
    return 0;
  }
  const auto price = table.Find(options.model);
  if (!price)
    return base::Usage("{}: not among the {} prices of {}", options.model,
                       table.size(), table.date());
  fmt::print("{}: {} USD in, {} cached, {} out, for a million tokens ({})\n",
             options.model, price->input, price->cached.value_or(price->input),
             price->output, table.date());
  return 0;
}

}  // namespace

int RunPrices(const PricesOptions& options) {
  const Result<int> code = options.update ? Update(options) : Show(options);
  return code ? *code : workplace::Complain(code.error());
}

}  // namespace kb::cli
