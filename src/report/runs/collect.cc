#include "report/collect.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "analysis/rulers.h"
#include "base/json.h"
#include "curves.h"
#include "html/html.h"
#include "model_name.h"
#include "report/models_apart.h"
#include "report/scores.h"

namespace kb::report {
namespace {

using analysis::Entry;
using base::Result;

class Collector {
 public:
  Collector(const ModelsApart& apart, RunSources* sources,
            const CollectOptions& options)
      : apart_(apart), sources_(sources), options_(options) {}

  Result<Book> Collect() {
    book_.title = Title();
    book_.generated_at = options_.generated_at;
    book_.version = KB_VERSION;
    book_.baseline = reading_.baseline;
    book_.scoring = options_.scoring;
    KB_TRY(AddRuns());
    KB_TRY(AddConversations());
    AddSamples();
    KB_TRY(AddDetails());
    AddBaselines();
    AddScores();
    AddRoofline();
    return std::move(book_);
  }

 private:
  Result<void> AddRuns() {
    const auto measured = analysis::MeasuredByRun(reading_.entries);
    for (size_t i = 0; i < reading_.names.size(); ++i) {
      BookRun& run = book_.runs.emplace_back();
      run.name = reading_.names[i];
      if (const auto of = measured.find(run.name); of != measured.end())
        run.measured = of->second;
      run.settings = SettingsOf(reading_.manifests[i]);
      run.isolation = ValueOf(reading_.manifests[i], "isolation");
      // A replay's without its path, as a model's.
      run.strategy = ModelName(ValueOf(reading_.manifests[i], "search"));
      KB_ASSIGN(auto answers, sources_->Answers(PlaceOf(i)));
      KeepOwn(i, &answers);
      AddAnswers(answers, &run);
      KB_ASSIGN(auto decisions, sources_->Decisions(PlaceOf(i)));
      KeepOwn(i, &decisions);
      run.searches = analysis::SearchesOf(decisions, answers);
    }
    return base::Ok();
  }

  // Of the searches whose trees are shown.
  Result<void> AddConversations() {
    size_t shown = 0;
    for (size_t i = 0; i < book_.runs.size() && shown < kMostSearches; ++i) {
      BookRun& run = book_.runs[i];
      if (run.searches.empty()) continue;
      KB_ASSIGN(auto outcomes, sources_->Outcomes(PlaceOf(i)));
      KeepOwn(i, &outcomes);
      for (const analysis::Search& search : run.searches) {
        if (++shown > kMostSearches) break;
        KB_ASSIGN(auto answers,
                  sources_->Conversation(PlaceOf(i), search.problem_id,
                                         search.sample));
        KeepOwn(i, &answers);
        run.conversations.push_back(
            TurnsOf(search, outcomes, std::move(answers)));
      }
    }
    return base::Ok();
  }

  // Which of the sources' runs it is, or is of.
  size_t PlaceOf(size_t run) const { return apart_.runs[run].run; }

  // Of what the source of a run has, that of the run's model.
  template <typename T>
  void KeepOwn(size_t run, std::vector<T>* values) const {
    const std::optional<std::string>& model = apart_.runs[run].model;
    if (model)
      std::erase_if(*values,
                    [&](const T& value) { return value.model != *model; });
  }

  static std::map<int64_t, BookTurn> TurnsOf(
      const analysis::Search& search,
      const std::vector<record::Outcome>& outcomes,
      std::vector<record::Generation> answers) {
    std::map<int64_t, BookTurn> turns;
    for (record::Generation& answer : answers) {
      if (answer.problem_hash != search.problem_hash) continue;
      turns[answer.turn] = {std::move(answer.prompt), std::move(answer.answer),
                            std::move(answer.source),
                            answer.candidate_name.ends_with(".py"),
                            std::move(answer.reason)};
    }
    for (const record::Outcome& outcome : outcomes)
      if (outcome.problem_id == search.problem_id &&
          outcome.problem_hash == search.problem_hash &&
          outcome.sample == search.sample && !outcome.confirms &&
          !outcome.unusable && turns.contains(outcome.turn))
        turns.at(outcome.turn).reason = outcome.reason;
    return turns;
  }

  static std::string ValueOf(const std::map<std::string, std::string>& manifest,
                             const std::string& name) {
    const auto found = manifest.find(name);
    return found == manifest.end() ? "" : found->second;
  }

  static std::string ModelOf(
      const std::map<std::string, std::string>& manifest) {
    return ModelName(ValueOf(manifest, "model"));
  }

  std::string Title() const {
    const size_t runs = reading_.names.size();
    if (runs != 1) return fmt::format("{} runs", runs);
    const std::string model = ModelOf(reading_.manifests[0]);
    return model.empty() ? reading_.names[0] : model;
  }

  static std::vector<std::pair<std::string, std::string>> SettingsOf(
      const std::map<std::string, std::string>& manifest) {
    std::vector<std::pair<std::string, std::string>> facts;
    const auto add = [&facts](const std::string& name,
                              const std::string& value) {
      if (!value.empty()) facts.emplace_back(name, value);
    };
    add("Model", ModelOf(manifest));
    for (const auto& [name, label] :
         {std::pair("prompt", "Prompt"), std::pair("backend", "Backend"),
          std::pair("hardware", "Hardware sheet"), std::pair("size", "Size"),
          std::pair("precision", "Precision")})
      add(label, ValueOf(manifest, name));
    add("Knowledge", KnowledgeOf(manifest));
    const auto settings =
        base::ParseJson(ValueOf(manifest, "settings"), "settings");
    if (!settings || !settings->is_object()) return facts;
    for (const auto& [name, value] : settings->items())
      if (name != "replay" && name != "provider")
        add(name, value.is_string() ? value.get<std::string>()
                                    : base::DumpJson(value));
    return facts;
  }

  // Prompts that show programs of earlier runs are another task.
  static std::string KnowledgeOf(
      const std::map<std::string, std::string>& manifest) {
    const auto knowledge =
        base::ParseJson(ValueOf(manifest, "knowledge"), "knowledge");
    if (!knowledge || !knowledge->is_object()) return {};
    const auto runs = knowledge->find("runs");
    if (runs == knowledge->end() || !runs->is_array()) return {};
    return fmt::format("programs of {}",
                       html::CountOf(runs->size(), "earlier run"));
  }

  static void AddAnswers(const std::vector<record::Generation>& generations,
                         BookRun* run) {
    bool priced = !generations.empty();
    double usd = 0;
    for (const record::Generation& generation : generations) {
      ++run->answers;
      run->tokens.input += generation.usage.input;
      run->tokens.cached += generation.usage.cached;
      run->tokens.output += generation.usage.output;
      run->tokens.reasoning += generation.usage.reasoning;
      priced = priced && generation.usd;
      usd += generation.usd.value_or(0);
      if (generation.status != record::GenerationStatus::kComplete)
        ++run->unusable[record::GenerationStatusName(generation.status)];
    }
    if (priced) run->usd = usd;
  }

  size_t ProblemOf(const record::Outcome& outcome) {
    const auto [place, fresh] =
        problems_.emplace(outcome.problem_id, book_.problems.size());
    if (!fresh) return place->second;
    BookProblem& problem = book_.problems.emplace_back();
    problem.id = outcome.problem_id;
    const record::Size& size = outcome.size;
    const bool loads = !size.IsSeveral() && size != record::Size::kFitted;
    const auto loaded = sources_->Problem(outcome.problem_id,
                                          loads ? size : record::Size::kFull);
    if (!loaded) return place->second;
    problem.name = loaded->name;
    problem.tags = loaded->tags;
    flags_[place->second] = loaded->flags;
    if (loaded->Hash() != outcome.problem_hash) return place->second;
    problem.source = loaded->source;
    problem.cost = loaded->cost;
    return place->second;
  }

  // Those that hold as something here was judged.
  void KeepFlags(const record::Outcome& outcome, size_t problem) {
    std::vector<record::Flag>& kept = book_.problems[problem].flags;
    for (const record::Flag& flag : flags_[problem])
      if (flag.Holds(outcome.precision, outcome.size, outcome.policy) &&
          std::ranges::find(kept, flag) == kept.end())
        kept.push_back(flag);
  }

  void AddSamples() {
    std::map<std::string, size_t> runs;
    for (size_t i = 0; i < reading_.names.size(); ++i)
      runs[reading_.names[i]] = i;
    for (const Entry& entry : reading_.entries) {
      if (entry.missing) continue;  // scores alone count it
      BookSample& sample = book_.samples.emplace_back();
      sample.run = runs.at(entry.run);
      sample.problem = ProblemOf(entry.outcome);
      sample.outcome = entry.outcome;
      sample.flagged = entry.flagged;
      KeepFlags(entry.outcome, sample.problem);
      BookRun& run = book_.runs[sample.run];
      if (run.device.name.empty() && !entry.outcome.device_name.empty()) {
        run.device.name = entry.outcome.device_name;
        run.device.driver = entry.outcome.driver;
        run.device.torch = entry.outcome.torch;
      }
    }
  }

  // The best correct sample of a problem and run, and one of each other
  // verdict; of a small book all.
  std::vector<size_t> Chosen() const {
    std::map<std::tuple<size_t, size_t, std::optional<record::Verdict>>, size_t>
        best;
    std::vector<size_t> chosen;
    for (size_t i = 0; i < book_.samples.size(); ++i) {
      const BookSample& sample = book_.samples[i];
      if (sample.outcome.id == 0) continue;
      if (book_.samples.size() <= options_.all_in_full) {
        chosen.push_back(i);
        continue;
      }
      const auto [place, fresh] = best.emplace(
          std::tuple(sample.run, sample.problem, sample.outcome.verdict), i);
      if (!fresh &&
          sample.outcome.speedup.value_or(0) >
              book_.samples[place->second].outcome.speedup.value_or(0))
        place->second = i;
    }
    for (const auto& [key, index] : best) chosen.push_back(index);
    std::ranges::sort(chosen);
    return chosen;
  }

  Result<void> AddDetails() {
    for (const size_t index : Chosen()) {
      BookSample& sample = book_.samples[index];
      const size_t place = PlaceOf(sample.run);
      KB_ASSIGN(auto found, sources_->Sample(place, sample.outcome.id));
      if (!found) continue;
      KB_ASSIGN(std::string answer,
                sources_->AnswerText(place, sample.outcome));
      found->model = ModelName(found->model);
      sample.detail = book_.details.size();
      book_.details.push_back(std::move(*found));
      book_.answers.push_back(std::move(answer));
    }
    return base::Ok();
  }

  // Of each device and precision that a problem was judged on and in, the
  // newest.
  void AddBaselines() {
    using Setting = std::tuple<std::string, record::Precision>;
    std::map<size_t, std::pair<std::string, std::set<Setting>>> judged;
    for (const BookSample& sample : book_.samples) {
      const record::Outcome& outcome = sample.outcome;
      if (outcome.device_name.empty()) continue;
      auto& [hash, settings] = judged[sample.problem];
      hash = outcome.problem_hash;
      settings.emplace(outcome.device_name, outcome.precision);
    }
    std::map<std::string, std::vector<const record::Baseline*>> by_hash;
    for (const record::Baseline& baseline : reading_.baselines)
      by_hash[baseline.problem_hash].push_back(&baseline);
    for (const auto& [problem, found] : judged) {
      const auto& [hash, settings] = found;
      std::map<std::tuple<Setting, record::BaselineMode>,
               const record::Baseline*>
          newest;
      for (const record::Baseline* baseline : by_hash[hash]) {
        const Setting setting(baseline->device.name, baseline->precision);
        if (settings.contains(setting))
          newest[{setting, baseline->mode}] = baseline;
      }
      for (const auto& [key, baseline] : newest)
        book_.problems[problem].baselines.push_back(*baseline);
    }
  }

  void AddScores() {
    book_.table = analysis::ScoreTwice(reading_.entries, book_.scoring);
    analysis::ScoreOptions by_run = book_.scoring;
    by_run.by = analysis::By::kRun;
    book_.scores = analysis::ScoreTwice(reading_.entries, by_run);
    AddRemark();
    analysis::ScoreOptions by_level = book_.scoring;
    by_level.by = analysis::By::kLevel;
    book_.by_level = analysis::ScoreTwice(reading_.entries, by_level);
    book_.curves = CurvesOf(reading_.names, reading_.entries, book_.scoring);
  }

  // What is not complete, first.
  void AddRemark() {
    std::vector<std::string> lines = IncompleteLines(book_.scores.all);
    lines.push_back(analysis::RulerRemark(reading_.ruler));
    lines.insert(lines.end(), apart_.remarks.begin(), apart_.remarks.end());
    for (const std::string& line : lines)
      if (!line.empty())
        book_.remark += (book_.remark.empty() ? "" : ". ") + line;
  }

  void AddRoofline() {
    std::set<std::string> devices;
    for (const BookRun& run : book_.runs) devices.insert(run.device.name);
    const bool fp32 =
        std::ranges::all_of(book_.samples, [](const BookSample& sample) {
          return sample.outcome.precision == record::Precision::kFp32;
        });
    if (devices.size() != 1 || !fp32) return;
    book_.roofline = Measured(*devices.begin());
    const auto sheet = sources_->Roofline(*devices.begin());
    (book_.roofline ? book_.data_sheet : book_.roofline) = sheet;
  }

  // The highest of what samples carry; none where a timed one carries nothing.
  std::optional<analysis::Roofline> Measured(const std::string& device) const {
    std::optional<analysis::Roofline> highest;
    for (const BookSample& sample : book_.samples) {
      if (!sample.outcome.candidate_us) continue;
      const auto own = analysis::RooflineAt(record::Precision::kFp32, device,
                                            sample.outcome.ceilings, true);
      if (!own) return std::nullopt;
      if (!highest || own->bandwidth_gbps > highest->bandwidth_gbps)
        highest = own;
    }
    return highest;
  }

  const ModelsApart& apart_;
  const analysis::RunReading& reading_ = apart_.reading;
  RunSources* sources_;
  CollectOptions options_;
  Book book_;
  std::map<std::string, size_t> problems_;             // by id
  std::map<size_t, std::vector<record::Flag>> flags_;  // of a problem, all
};

}  // namespace

Result<Book> Collect(const analysis::RunReading& reading, RunSources* sources,
                     const CollectOptions& options) {
  const ModelsApart apart = TakenApart(reading);
  return Collector(apart, sources, options).Collect();
}

}  // namespace kb::report
