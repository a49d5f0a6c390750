#include "run_estimate.h"

#include <fmt/format.h>

#include "html/html.h"

namespace kb::cli {

std::string Estimate(const Questions& questions, const std::string& model,
                     const std::optional<llm::Price>& price) {
  constexpr double kBytesPerToken = 4;  // of English and code, roughly
  constexpr double kMillion = 1e6;
  const auto count = static_cast<double>(questions.count);
  const double input = static_cast<double>(questions.bytes) / kBytesPerToken;
  std::string text = fmt::format(
      "would ask {} {} ({} answered before); prompts of about {:.3g} tokens\n",
      model, html::CountOf(static_cast<size_t>(questions.count), "question"),
      questions.answered, input);
  if (!price)
    return text + "what that costs is not known; see kernelbench prices show\n";
  const double prompts = input * price->input / kMillion;
  const double thousand = count * 1000 * price->output / kMillion;
  text += fmt::format(
      "prompts: about {:.2f} USD; answers: {:.2f} USD for each 1000 tokens of "
      "an answer, thinking included\n",
      prompts, thousand);
  if (questions.output_tokens)
    text += fmt::format(
        "in all about {:.2f} USD, if answers are as long as those that are "
        "there ({:.0f} tokens)\n",
        prompts + thousand * *questions.output_tokens / 1000,
        *questions.output_tokens);
  return text;
}

}  // namespace kb::cli
