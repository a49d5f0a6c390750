#include "run/asking.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <thread>

#include "backlog.h"
#include "base/clock.h"
#include "base/mutex.h"
#include "base/text.h"
#include "eval/every_size.h"
#include "prompt/extract.h"

namespace kb::run {
namespace {

using llm::Failure;
using record::Generation;
using record::GenerationStatus;

// What is the same whatever the answer is.
Generation Blank(const Wanted& wanted, const llm::Model& model,
                 const llm::Question& question) {
  Generation generation;
  generation.problem_id = wanted.problem->id;
  generation.problem_hash = wanted.Hash();
  generation.sample = wanted.sample;
  generation.model = model.name;
  generation.turn = question.turn;
  generation.prompt = question.turn == 1
                          ? question.system + "\n\n" + question.user
                          : question.user;
  generation.started_at = base::UtcNow();
  if (model.provider == llm::ProviderKind::kReplay) generation.usd = 0;
  return generation;
}

std::string NameOf(const Generation& generation) {
  if (generation.turn == 1) return fmt::format("sample_{}", generation.sample);
  return fmt::format("sample_{}_turn_{}", generation.sample, generation.turn);
}

void TakeCode(const llm::Reply& reply, Generation* generation) {
  prompt::Extracted code;
  if (reply.file_name.empty()) {
    code = prompt::ExtractCode(reply.text, reply.finish);
    const std::string extension =
        std::filesystem::path(code.file_name).extension();
    if (!code.file_name.empty())
      code.file_name = fmt::format("{}{}", NameOf(*generation), extension);
  } else {
    code.status = GenerationStatus::kComplete;
    code.file_name = reply.file_name;
    code.source = reply.text;
  }
  generation->status = code.status;
  generation->reason = code.reason;
  generation->candidate_name = code.file_name;
  generation->source = code.source;
}

bool IsIdea(const Wanted& wanted) {
  return wanted.ask && wanted.ask->kind == record::AskKind::kIdea;
}

void TakeIdea(const llm::Reply& reply, Generation* generation) {
  const bool refused = reply.finish == llm::Finish::kRefused;
  generation->status =
      refused ? GenerationStatus::kRefused : GenerationStatus::kNoCode;
  generation->reason = refused ? "the model refused" : "an approach in words";
  if (!base::Trim(reply.text).empty()) return;
  generation->status = GenerationStatus::kFailed;
  generation->reason = "the answer is empty";
}

// What a search begins with, as the first answer of the sample.
Generation GivenTo(const Wanted& wanted, const llm::Model& model) {
  Generation generation = *wanted.given;
  generation.problem_id = wanted.problem->id;
  generation.problem_hash = wanted.Hash();
  generation.sample = wanted.sample;
  generation.turn = wanted.ask->turn;
  generation.model = model.name;
  generation.started_at = base::UtcNow();
  generation.candidate_name =
      NameOf(generation) +
      std::filesystem::path(generation.candidate_name).extension().string();
  return generation;
}

class Asking {
 public:
  Asking(const AskingPlan& plan, Backlog* backlog,
         const AskingCallbacks& callbacks, std::stop_token stop)
      : plan_(plan),
        backlog_(backlog),
        callbacks_(callbacks),
        stop_(std::move(stop)) {
    result_.spent = plan.spent;
  }

  AskingResult Run() {
    const auto threads =
        std::min(backlog_->Size() * static_cast<size_t>(plan_.parallel),
                 static_cast<size_t>(plan_.model->concurrency));
    std::vector<std::jthread> askers;
    for (size_t i = 0; i < threads; ++i)
      askers.emplace_back([this] { Work(); });
    askers.clear();  // joins
    const base::MutexLock lock(&mutex_);
    return result_;
  }

 private:
  void Work() {
    while (auto wanted = backlog_->Take(stop_)) {
      if (wanted->given) {
        callbacks_.on_answer(*wanted, GivenTo(*wanted, *plan_.model));
        continue;
      }
      if (!Begin()) {
        backlog_->PutBack(std::move(*wanted));
        return;
      }
      const auto prompt = PromptFor(plan_, *wanted);
      if (prompt) {
        Ask(*wanted, *prompt);
        continue;
      }
      GiveUp(prompt.error());
      callbacks_.on_end(*wanted, false);
      return;
    }
  }

  // Whether another question may be asked.
  bool Begin() {
    const base::MutexLock lock(&mutex_);
    if (stop_.stop_requested() || given_up_) return false;
    if (plan_.budget.usd && result_.spent.unpriced > 0 &&
        !plan_.with_unpriced) {
      result_.unpriced_ended_it = true;
      return false;
    }
    Spent spent = result_.spent;
    if (plan_.device_seconds) spent.device_seconds += plan_.device_seconds();
    const std::chrono::duration<double, std::ratio<60>> since =
        std::chrono::steady_clock::now() - plan_.began;
    const auto passed =
        PassedBy(plan_.budget, spent, in_flight_, since.count());
    if (passed) {
      result_.budget_reached = passed;
      return false;
    }
    ++in_flight_;
    return true;
  }

  void Ask(const Wanted& wanted, const prompt::Prompt& prompt) {
    std::optional<record::History> kept;
    const llm::Question question = QuestionFor(plan_, wanted, prompt, &kept);
    Generation generation = Blank(wanted, *plan_.model, question);
    generation.shown = ProgramsIn(plan_, wanted, kept);
    generation.history = std::move(kept);
    const auto reply = plan_.provider->Ask(
        question,
        [&](const std::string& step) {
          callbacks_.on_step(wanted.index, step);
        },
        stop_);
    if (reply) {
      Take(*reply, IsIdea(wanted), &generation);
    } else if (!Settles(wanted, reply.error(), &generation)) {
      callbacks_.on_end(wanted,
                        reply.error().kind == Failure::Kind::kExhausted);
      return;
    }
    Keep(wanted, generation);
  }

  void Take(const llm::Reply& reply, bool is_idea, Generation* generation) {
    generation->served_model = reply.served_model;
    generation->answer = reply.text;
    generation->reasoning = reply.reasoning;
    generation->state = reply.state;
    // The store has no absent counts; an absent cost says that they are not
    // known.
    generation->usage = reply.usage.value_or(record::Usage());
    generation->seconds = reply.seconds;
    generation->attempts = reply.attempts;
    if (plan_.model->provider != llm::ProviderKind::kReplay)
      generation->usd = PriceOf(reply);
    if (is_idea)
      TakeIdea(reply, generation);
    else
      TakeCode(reply, generation);
    if (!reply.usage_mistake.empty())
      generation->reason += fmt::format("{}the tokens are not counted: {}",
                                        generation->reason.empty() ? "" : "; ",
                                        reply.usage_mistake);
  }

  std::optional<double> PriceOf(const llm::Reply& reply) const {
    if (reply.usd || !reply.usage || !plan_.price) return reply.usd;
    return llm::CostOf(*reply.usage, reply.newly_cached, *plan_.price);
  }

  // Whether the failure is the model's answer for good.
  bool Settles(const Wanted& wanted, const Failure& failure,
               Generation* generation) {
    generation->reason = failure.message;
    switch (failure.kind) {
      case Failure::Kind::kUnusable:
        generation->status = GenerationStatus::kFailed;
        return true;
      case Failure::Kind::kRejected:
        generation->status = GenerationStatus::kRefused;
        return true;
      case Failure::Kind::kFatal:
        GiveUp(base::Error(failure.message, base::Error::Kind::kUsage));
        break;
      case Failure::Kind::kUnavailable:
        callbacks_.on_unanswered(wanted, failure.message);
        break;
      case Failure::Kind::kCancelled:
      case Failure::Kind::kExhausted:
        break;
    }
    const base::MutexLock lock(&mutex_);
    --in_flight_;
    result_.open += failure.kind == Failure::Kind::kUnavailable ? 1 : 0;
    // A conversation may end anywhere.
    const bool begun = generation->turn > 1;
    result_.exhausted +=
        failure.kind == Failure::Kind::kExhausted && !begun ? 1 : 0;
    return false;
  }

  void Keep(const Wanted& wanted, const Generation& generation) {
    const bool kept = callbacks_.on_answer(wanted, generation);
    const base::MutexLock lock(&mutex_);
    --in_flight_;
    ++result_.answered;
    const int64_t tokens = generation.usage.input + generation.usage.output;
    result_.spent.unpriced += IsUnpriced(generation) ? 1 : 0;
    ++result_.spent.answers;
    result_.spent.tokens += tokens;
    if (generation.usd) {
      result_.spent.usd += *generation.usd;
      ++result_.spent.priced;
    }
    given_up_ = given_up_ || !kept;
  }

  void GiveUp(const base::Error& error) {
    const base::MutexLock lock(&mutex_);
    given_up_ = true;
    if (!result_.fatal) result_.fatal = error;
  }

  const AskingPlan& plan_;
  Backlog* backlog_;
  const AskingCallbacks& callbacks_;
  std::stop_token stop_;
  base::Mutex mutex_;
  int64_t in_flight_ KB_GUARDED_BY(mutex_) = 0;
  bool given_up_ KB_GUARDED_BY(mutex_) = false;
  AskingResult result_ KB_GUARDED_BY(mutex_);
};

// Of a conversation that begins anew.
void AddText(const Shown& shown, const record::Ask& ask,
             llm::Question* question, std::optional<record::History>* kept) {
  // The same question again must be answered otherwise.
  question->draw = ask.turn - 1;
  if (shown.text.empty()) return;
  question->user += "\n\n" + shown.text;
  *kept = record::History{record::AskKindName(ask.kind), shown.of_turns, {}};
}

}  // namespace

std::string Wanted::Hash() const {
  if (!further) return problem->Hash();
  return eval::HashOver(*problem, further->problems);
}

base::Result<prompt::Prompt> PromptFor(const AskingPlan& plan,
                                       const Wanted& wanted) {
  KB_ASSIGN(prompt::Prompt prompt,
            plan.writers->at(wanted.precision).Write(*wanted.problem));
  if (plan.knowledge == nullptr) return prompt;
  const auto known = plan.knowledge->find(wanted.problem->id);
  if (known != plan.knowledge->end() && !known->second.text.empty())
    prompt.user += "\n\n" + known->second.text;
  return prompt;
}

std::vector<record::ShownProgram> ProgramsIn(
    const AskingPlan& plan, const Wanted& wanted,
    const std::optional<record::History>& kept) {
  std::vector<record::ShownProgram> programs;
  if (plan.knowledge != nullptr)
    if (const auto known = plan.knowledge->find(wanted.problem->id);
        known != plan.knowledge->end())
      programs = known->second.shown;
  if (!wanted.shown || !kept) return programs;
  std::ranges::copy_if(wanted.shown->programs, std::back_inserter(programs),
                       [&](const record::ShownProgram& program) {
                         return std::ranges::find(kept->kept, program.turn) !=
                                kept->kept.end();
                       });
  return programs;
}

llm::Question QuestionFor(const AskingPlan& plan, const Wanted& wanted,
                          const prompt::Prompt& prompt,
                          std::optional<record::History>* kept) {
  llm::Question question;
  question.problem_id = wanted.problem->id;
  question.sample = wanted.sample;
  question.system = prompt.system;
  question.user = prompt.user;
  if (wanted.turns > 1) question.lasting = 1;
  if (!wanted.ask) return question;
  question.turn = wanted.ask->turn;
  const Shown& shown = *wanted.shown;
  if (shown.conversation.empty()) {
    AddText(shown, *wanted.ask, &question, kept);
    return question;
  }
  NextQuestion next = AskAfter(prompt, shown.conversation, wanted.turns,
                               *plan.model, *plan.conversation);
  question.history = std::move(next.history);
  question.user = std::move(next.user);
  question.lasting = next.lasting;
  *kept = std::move(next.kept);
  return question;
}

bool IsUnpriced(const record::Generation& generation) {
  const bool rejected = generation.status == GenerationStatus::kRefused &&
                        generation.answer.empty() &&
                        generation.served_model.empty();
  return !generation.usd && !rejected;
}

AskingResult AskFrom(const AskingPlan& plan, Backlog* backlog,
                     const AskingCallbacks& callbacks,
                     const std::stop_token& stop) {
  return Asking(plan, backlog, callbacks, stop).Run();
}

}  // namespace kb::run
