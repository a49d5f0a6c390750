#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/json.h"
#include "models.h"
#include "options.h"
#include "os/files.h"
#include "record/document.h"
#include "workplace/workplace.h"

namespace kb::cli {
namespace {

using base::Result;

Result<int> List(const PromptOptions& options) {
  KB_ASSIGN(const std::string root, os::InstallRoot());
  KB_ASSIGN(const prompt::Catalogue found,
            prompt::List(root + "/share/prompts"));
  if (options.judge.json) {
    fmt::print("{}\n",
               base::DumpJson(
                   record::Document("prompts", {{"version", KB_VERSION},
                                                {"prompts", found.prompts},
                                                {"backends", found.backends},
                                                {"hardware", found.hardware}}),
                   2));
    return 0;
  }
  fmt::print("prompts   {}\nbackends  {}\nhardware  {}\n",
             fmt::join(found.prompts, ", "), fmt::join(found.backends, ", "),
             fmt::join(found.hardware, ", "));
  return 0;
}

Result<int> Show(const PromptOptions& options) {
  KB_ASSIGN(const PromptPlace place, PlaceOf(options.judge));
  KB_ASSIGN(const ChosenPrompt chosen, ChoosePrompt(options.prompt, place));
  KB_ASSIGN(const record::Problem problem,
            place.pack.Load(options.problem, place.size, place.fit_bytes));
  KB_ASSIGN(const prompt::Prompt prompt, chosen.writer.Write(problem));
  if (options.judge.json) {
    fmt::print("{}\n",
               base::DumpJson(record::Document(
                                  "prompt", {{"version", KB_VERSION},
                                             {"system", prompt.system},
                                             {"user", prompt.user},
                                             {"file_name", prompt.file_name}}),
                              2));
    return 0;
  }
  fmt::print("--- system ---\n{}\n--- user ---\n{}\n", prompt.system,
             prompt.user);
  return 0;
}

}  // namespace

int RunPrompt(const PromptOptions& options) {
  const Result<int> code =
      options.problem.empty() ? List(options) : Show(options);
  return code ? *code : workplace::Complain(code.error());
}

}  // namespace kb::cli
