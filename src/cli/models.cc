#include "models.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdlib>
#include <filesystem>
#include <set>
#include <utility>

#include "base/hash.h"
#include "base/json.h"
#include "os/files.h"
#include "run/files.h"
#include "workplace/selection.h"
#include "workplace/workplace.h"

namespace kb::cli {
namespace {

namespace fs = std::filesystem;
using base::Result;
using workplace::Workplace;

Result<std::string> Shared(const std::string& name) {
  KB_ASSIGN(const std::string root, os::InstallRoot());
  return root + "/share/" + name;
}

// $XDG_CONFIG_HOME/kernelbench, else ~/.config/kernelbench; empty: neither.
std::string ConfigFolder() {
  const char* config = std::getenv("XDG_CONFIG_HOME");
  if (config != nullptr && *config != '\0')
    return std::string(config) + "/kernelbench";
  const char* home = std::getenv("HOME");
  if (home == nullptr || *home == '\0') return "";
  return std::string(home) + "/.config/kernelbench";
}

std::string NameOfDevice(const std::string& device,
                         const compile::Toolchain& tools) {
  if (device == "cpu" || !tools.python.tool) return device;
  for (const compile::CudaDevice& each : tools.python.tool->cuda_devices)
    if (device.empty() || device == "cuda" || device == each.TorchName())
      return each.name;
  return device;
}

bool IsFile(const std::string& path) {
  std::error_code error;
  return fs::is_regular_file(path, error);
}

// A replay is of one model: what several answered to a question is not told
// apart.
Result<void> CheckOneModel(const store::Store& store, const std::string& run) {
  store::GenerationFilter light;
  light.with_texts = false;
  KB_ASSIGN(const auto generations, store.Generations(light));
  std::set<std::string> models;
  for (const record::Generation& kept : generations) models.insert(kept.model);
  if (models.size() < 2) return base::Ok();
  return base::Usage(
      "replay:{}: the run holds answers of {} models ({}); name a run of one "
      "model, such as one of those that were merged",
      run, models.size(), fmt::join(models, ", "));
}

}  // namespace

Result<PromptPlace> PlaceOf(const Workplace& workplace) {
  PromptPlace place;
  place.pack = workplace.pack;
  place.size = workplace.size;
  place.fit_bytes = workplace.fit_bytes;
  place.precision = workplace.precision;
  place.policy = workplace.policy;
  place.device_name = NameOfDevice(workplace.session.lanes.front().device,
                                   workplace.compiler.toolchain());
  return place;
}

Result<PromptPlace> PlaceOf(const workplace::JudgeOptions& options) {
  PromptPlace place;
  KB_ASSIGN(place.pack, workplace::OpenPack(options.pack));
  if (options.size.empty()) place.pack.AllowFullForSmall();
  const bool cpu = options.device == "cpu";
  KB_ASSIGN(place.size,
            workplace::ChooseSize(
                options, cpu ? record::Size::kSmall : record::Size::kFull));
  place.fit_bytes = options.fit.value_or(0);
  KB_ASSIGN(place.policy, workplace::ChoosePolicy(options.policy, options));
  KB_ASSIGN(place.precision, workplace::ChoosePrecision(options));
  place.device_name = options.device;
  if (cpu) return place;
  if (const auto tools = compile::FindToolchain())
    place.device_name = NameOfDevice(options.device, *tools);
  return place;
}

Result<run::Wanted> WantedAt(const PromptPlace& place,
                             const std::string& problem_id) {
  KB_ASSIGN(auto at, workplace::LoadAt(place.pack, problem_id, place.size,
                                       place.fit_bytes));
  run::Wanted wanted;
  wanted.precision = at.first.In(place.precision);
  wanted.problem = std::make_shared<const record::Problem>(std::move(at.first));
  if (!at.further.empty())
    wanted.further = std::make_shared<const run::FurtherSizes>(
        run::FurtherSizes{place.size, std::move(at.further)});
  return wanted;
}

Result<ChosenPrompt> ChoosePrompt(const PromptChoice& choice,
                                  const PromptPlace& place,
                                  const std::set<record::Precision>& in) {
  prompt::PromptOptions options;
  KB_ASSIGN(options.folder, Shared("prompts"));
  options.prompt = choice.prompt;
  options.backend = choice.backend;
  options.policy = place.policy;
  options.several_sizes = place.size.IsSeveral();
  if (choice.hardware == "auto") {
    KB_ASSIGN(options.hardware,
              prompt::HardwareFor(options.folder, place.device_name));
  } else if (choice.hardware != "none") {
    options.hardware = choice.hardware;
  }
  ChosenPrompt chosen;
  chosen.hardware = options.hardware;
  for (const record::Precision precision : in) {
    options.precision = precision;
    KB_ASSIGN(prompt::Writer writer, prompt::Writer::Create(options));
    chosen.writers.emplace(precision, std::move(writer));
  }
  return chosen;
}

Result<std::string> HashOf(const ChosenPrompt& prompt,
                           const std::string& knowledge) {
  record::Problem any;  // stands for the problem's part
  any.source = "pass";
  std::string blanks;
  for (const auto& [precision, writer] : prompt.writers) {
    KB_ASSIGN(const prompt::Prompt blank, writer.Write(any));
    blanks += blank.system + blank.user;
  }
  return base::Sha256(blanks + knowledge).substr(0, 16);
}

Result<run::HistoryPolicy> HistoryOf(const ConversationChoice& choice) {
  const auto policy = run::ParseHistoryPolicy(choice.history);
  if (!policy)
    return base::Usage("--history {}: use whole, last, best or best-and-last",
                       choice.history);
  return *policy;
}

Result<prompt::FeedbackWriter> ChooseFeedback(const ConversationChoice& choice,
                                              const std::string& backend) {
  prompt::FeedbackOptions options;
  KB_ASSIGN(options.folder, Shared("prompts"));
  options.name = choice.feedback_text;
  options.backend = backend;
  KB_ASSIGN(options.layers, prompt::ParseLayers(choice.feedback));
  return prompt::FeedbackWriter::Create(options);
}

Result<std::vector<std::string>> ModelFiles(const std::string& named) {
  if (!named.empty()) {
    if (IsFile(named)) return std::vector{named};
    return base::Usage("--models {}: there is no such file", named);
  }
  std::vector<std::string> files{"models.toml"};
  if (const std::string folder = ConfigFolder(); !folder.empty())
    files.push_back(folder + "/models.toml");
  KB_ASSIGN(const std::string ours, Shared("models.toml"));
  files.push_back(ours);
  std::erase_if(files, [](const std::string& file) { return !IsFile(file); });
  return files;
}

Result<llm::Model> ChooseModel(const RunOptions& options) {
  llm::ModelChanges changes;
  changes.temperature = options.temperature;
  changes.top_p = options.top_p;
  changes.max_tokens = options.max_tokens;
  changes.seed = options.seed;
  changes.reasoning_effort = options.reasoning_effort;
  changes.concurrency = options.concurrency;
  KB_ASSIGN(const auto files, ModelFiles(options.models_file));
  return llm::FindModel(options.model, files, changes);
}

Result<std::unique_ptr<llm::Provider>> ConnectModel(const llm::Model& model) {
  llm::Recorded recorded;
  if (model.provider == llm::ProviderKind::kReplay &&
      IsFile(run::RunPath(model.replay))) {
    KB_ASSIGN(store::Store opened, run::OpenRun(model.replay));
    KB_TRY(CheckOneModel(opened, model.replay));
    const auto store = std::make_shared<store::Store>(std::move(opened));
    recorded = [store](const std::string& problem, int64_t sample,
                       int64_t turn) -> std::optional<record::Generation> {
      store::GenerationFilter filter;
      filter.problem_id = problem;
      filter.sample = sample;
      filter.turn = turn;
      auto found = store->Generations(filter);
      if (!found || found->empty()) return std::nullopt;
      return std::move(found->back());
    };
  }
  return llm::MakeProvider(model, recorded);
}

Result<std::string> UpdatedPricesPath() {
  const std::string folder = ConfigFolder();
  if (folder.empty())
    return base::Usage("neither HOME nor XDG_CONFIG_HOME is set");
  return folder + "/prices.json";
}

namespace {

Result<llm::PriceTable> ReadPrices(const std::string& path) {
  KB_ASSIGN(const std::string text, os::ReadFile(path));
  KB_ASSIGN(const base::Json json, base::ParseJson(text, path));
  auto table = llm::PriceTable::FromJson(json);
  if (!table) return base::Propagate(table.error().Wrap(path));
  return table;
}

}  // namespace

Result<llm::PriceTable> OpenPrices() {
  KB_ASSIGN(std::string path, Shared("prices.json"));
  if (const auto updated = UpdatedPricesPath(); updated && IsFile(*updated))
    path = *updated;
  auto table = ReadPrices(path);
  if (!table)
    return base::Usage(
        "{}; `kernelbench prices update` writes a new table, which goes before "
        "the one that came with the program",
        table.error().message());
  return table;
}

Result<std::optional<llm::Price>> PriceOf(const llm::Model& model) {
  if (model.provider == llm::ProviderKind::kReplay)
    return std::optional<llm::Price>();
  KB_ASSIGN(const llm::PriceTable table, OpenPrices());
  return table.Find(model.price.empty() ? model.model : model.price);
}

}  // namespace kb::cli
