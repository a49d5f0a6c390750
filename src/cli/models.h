#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "commands/run.h"
#include "llm/model.h"
#include "llm/prices.h"
#include "llm/provider.h"
#include "prompt/feedback.h"
#include "prompt/prompt.h"
#include "run/asking.h"
#include "run/conversation.h"
#include "workplace/workplace.h"

namespace kb::cli {

// What questions are about, with or without a machine to judge on.
struct PromptPlace {
  problems::Pack pack;
  record::Size size = record::Size::kFull;
  uint64_t fit_bytes = 0;
  record::Precision precision = record::Precision::kAsGiven;
  record::Policy policy;
  std::string device_name;  // as the driver says; "cpu"; empty: not known
};
base::Result<PromptPlace> PlaceOf(const workplace::Workplace& workplace);
// Needs neither Python nor a device.
base::Result<PromptPlace> PlaceOf(const workplace::JudgeOptions& options);

// A sample of the problem there, at all sizes of the place; its index and
// number are the caller's to set.
base::Result<run::Wanted> WantedAt(const PromptPlace& place,
                                   const std::string& problem_id);

base::Result<run::HistoryPolicy> HistoryOf(const ConversationChoice& choice);

struct ChosenPrompt {
  // By the precision that a problem is judged in (record::Problem::In).
  std::map<record::Precision, prompt::Writer> writers;
  std::string hardware;  // its name; empty: none
};
// Of all that is the same for every problem, and of what is shown of earlier
// runs, by its hash; "": nothing.
base::Result<std::string> HashOf(const ChosenPrompt& prompt,
                                 const std::string& knowledge);
// Writers for problems in these precisions.
base::Result<ChosenPrompt> ChoosePrompt(const PromptChoice& choice,
                                        const PromptPlace& place,
                                        const std::set<record::Precision>& in);

// Of what an answer in that backend is told.
base::Result<prompt::FeedbackWriter> ChooseFeedback(
    const ConversationChoice& choice, const std::string& backend);

// Files of models, in the order in which they are searched: the one named,
// ./models.toml, the user's, ours.
base::Result<std::vector<std::string>> ModelFiles(const std::string& named);

base::Result<llm::Model> ChooseModel(const RunOptions& options);

// The provider, ready; a replay of a run reads its store, which must be of one
// model.
base::Result<std::unique_ptr<llm::Provider>> ConnectModel(
    const llm::Model& model);

// Prices: what `kernelbench prices update` wrote, else ours.
base::Result<llm::PriceTable> OpenPrices();
base::Result<std::string> UpdatedPricesPath();
// None: not in the table, or nothing is paid for.
base::Result<std::optional<llm::Price>> PriceOf(const llm::Model& model);

}  // namespace kb::cli
