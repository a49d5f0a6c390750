#include <algorithm>
#include <filesystem>
#include <regex>

#include "base/text.h"
#include "builds.h"
#include "os/files.h"

namespace kb::compile {

namespace fs = std::filesystem;

ToolRun StartRun(const BuildRequest& request, const Workshop& shop) {
  ToolRun run;
  run.binds = shop.Binds();
  run.isolation = request.options.isolation;
  run.memory_bytes = request.options.memory_bytes;
  run.wall_seconds = request.policy.compile_seconds;
  run.output = shop.output();
  return run;
}

std::string SearchPath(const std::vector<std::string>& programs) {
  std::vector<std::string> folders;
  const auto add = [&](const std::string& folder) {
    if (std::find(folders.begin(), folders.end(), folder) == folders.end())
      folders.push_back(folder);
  };
  for (const std::string& program : programs)
    if (!program.empty()) add(fs::path(program).parent_path().string());
  for (const char* folder : {"/usr/local/bin", "/usr/bin", "/bin"}) add(folder);
  return fmt::format("{}", fmt::join(folders, ":"));
}

std::map<std::string, std::string> CompilerEnvironment(
    const std::string& path) {
  // English messages, no colours, temporary files where they go away.
  return {{"PATH", path},        {"HOME", "{TMP}"}, {"TMPDIR", "{TMP}"},
          {"LC_ALL", "C.UTF-8"}, {"LANGUAGE", "C"}, {"TERM", "dumb"},
          {"NO_COLOR", "1"}};
}

std::string CudaArchitecture(const std::string& device_arch) {
  static const std::regex kForm(R"(sm_(\d{2,3})[af]?)");
  std::smatch match;
  if (!std::regex_match(device_arch, match, kForm)) return "90a";
  const std::string number = match[1];
  // 9.0 is the first with architecture-specific instructions.
  return std::stoi(number) >= 90 ? number + "a" : number;
}

namespace {

std::string ReadCpuIdentity() {
  const std::string text =
      os::ReadFile("/proc/cpuinfo", uint64_t{64} << 20).value_or("");
  std::string identity;
  for (const std::string& line : base::Split(text, '\n')) {
    if (line.empty()) break;  // the first processor stands for all
    if (line.starts_with("model name") || line.starts_with("flags") ||
        line.starts_with("Features") || line.starts_with("CPU part"))
      identity += line + "\n";
  }
  return identity;
}

}  // namespace

const std::string& CpuIdentity() {
  static const std::string kIdentity = ReadCpuIdentity();
  return kIdentity;
}

}  // namespace kb::compile
