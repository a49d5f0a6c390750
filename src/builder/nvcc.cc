#include "nvcc.h"

#include <fmt/format.h>

#include <filesystem>
#include <future>
#include <set>
#include <string_view>

#include "base/hash.h"
#include "base/text.h"
#include "os/files.h"

namespace kb::builder {
namespace {

constexpr std::string_view kMark = "#$ ";
constexpr std::string_view kTemporary = "/tmpxft_";
constexpr std::string_view kWritesModuleId = " --gen_module_id_file ";
constexpr std::string_view kModuleId = "--module_id_file_name \"";

// "NAME=VALUE" and not a command with an '=' in it.
std::optional<size_t> Assignment(std::string_view line) {
  const size_t equals = line.find('=');
  if (equals == std::string_view::npos || equals == 0) return std::nullopt;
  if (line.substr(0, equals).find_first_of(" \"'/-") != std::string_view::npos)
    return std::nullopt;
  return equals;
}

// The quoted names of nvcc's temporary files in a command.
std::set<std::string> TemporaryFiles(const std::string& command) {
  std::set<std::string> files;
  for (const std::string& part : base::Split(command, '"')) {
    const size_t at = part.find(kTemporary);
    if (at != std::string::npos) files.insert(part.substr(part.find('/')));
  }
  return files;
}

void TakeModuleId(NvccPlan* plan) {
  for (std::string& command : plan->commands) {
    const size_t writes = command.find(kWritesModuleId);
    const size_t name = command.find(kModuleId);
    if (writes == std::string::npos || name == std::string::npos) continue;
    const size_t start = name + kModuleId.size();
    plan->module_id_file =
        command.substr(start, command.find('"', start) - start);
    command.replace(writes, kWritesModuleId.size(), " ");
  }
}

// As nvcc makes them: unique among the sources that are linked together.
std::string ModuleId(const std::string& unique) {
  constexpr size_t kDigits = 8;
  const std::string hash = base::Sha256(unique);
  return fmt::format("_{}_6_source_{}", hash.substr(0, kDigits),
                     hash.substr(kDigits, kDigits));
}

Ran RunInOrder(const NvccPlan& plan, Commands* commands) {
  const auto order = Order(plan.commands);
  std::vector<std::shared_future<Ran>> runs;
  for (size_t i = 0; i < plan.commands.size(); ++i) {
    std::vector<std::shared_future<Ran>> before;
    for (const size_t earlier : order[i]) before.push_back(runs[earlier]);
    runs.push_back(std::async(std::launch::async, [&plan, commands, i, before] {
                     for (const auto& run : before)
                       if (run.get().code != 0) return Ran{run.get().code, ""};
                     return commands->Run(plan.commands[i], plan.environment);
                   }).share());
  }
  Ran all{0, plan.messages};
  for (const auto& run : runs) {
    if (all.code != 0) {
      run.wait();
      continue;
    }
    all.code = run.get().code;
    all.output += run.get().output;
  }
  return all;
}

void RemoveFiles(const NvccPlan& plan) {
  std::error_code ignored;
  for (const std::string& command : plan.commands)
    for (const std::string& file : TemporaryFiles(command))
      std::filesystem::remove(file, ignored);
}

}  // namespace

std::optional<NvccPlan> ReadNvccPlan(const std::string& dry_run) {
  NvccPlan plan;
  for (const std::string& line : base::Split(dry_run, '\n')) {
    if (!line.starts_with(kMark)) {
      if (!line.empty()) plan.messages += line + "\n";
      continue;
    }
    const std::string text = line.substr(kMark.size());
    if (const auto equals = Assignment(text)) {
      plan.environment[text.substr(0, *equals)] = text.substr(*equals + 1);
    } else if (!text.starts_with("rm ")) {
      plan.commands.push_back(text);
    }
  }
  if (plan.commands.size() < 2) return std::nullopt;
  TakeModuleId(&plan);
  return plan;
}

std::vector<std::vector<size_t>> Order(
    const std::vector<std::string>& commands) {
  std::vector<std::vector<size_t>> order(commands.size());
  std::vector<std::set<std::string>> files;
  for (size_t i = 0; i < commands.size(); ++i) {
    files.push_back(TemporaryFiles(commands[i]));
    for (size_t earlier = 0; earlier < i; ++earlier) {
      bool connected = i + 1 == commands.size();
      for (const std::string& file : files[earlier])
        connected |= files[i].contains(file) && !file.ends_with(".module_id");
      if (connected) order[i].push_back(earlier);
    }
  }
  return order;
}

Ran RunNvcc(const std::string& command, const std::string& unique,
            Commands* commands) {
  const Ran dry = commands->Run(command + " --dryrun");
  const auto plan = ReadNvccPlan(dry.output);
  if (dry.code != 0 || !plan) return commands->Run(command);
  if (!plan->module_id_file.empty() &&
      !os::WriteFileAtomically(plan->module_id_file, ModuleId(unique)))
    return commands->Run(command);
  Ran ran = RunInOrder(*plan, commands);
  RemoveFiles(*plan);
  return ran;
}

}  // namespace kb::builder
