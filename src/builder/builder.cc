#include "builder/builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <filesystem>
#include <future>
#include <iterator>
#include <mutex>
#include <optional>
#include <string_view>
#include <thread>

#include "base/hash.h"
#include "base/text.h"
#include "build_file.h"
#include "commands.h"
#include "declared_headers.h"
#include "nvcc.h"
#include "os/files.h"
#include "slim_headers.h"
#include "source_errors.h"
#include "sources.h"
#include "thin_headers.h"

namespace kb::builder {
namespace {

using base::Result;

namespace fs = std::filesystem;

constexpr const char* kBuildFile = "build.ninja";
// What was built: its identity, then "declared main.o", "thin cuda.cuda.o",
// "slim main.o" or "whole main.o" for each source, by the headers that it was
// compiled with.
constexpr const char* kBuilt = "kernelbench_build";
constexpr const char* kVersion = "1.11.1";  // of ninja, which PyTorch asks for

bool IsCompilation(const Edge& edge) {
  return edge.rule == "compile" || edge.rule == "cuda_compile";
}

// Without the list of files that the compiler read, which costs nvcc one more
// pass over them all.
std::string WithoutDependencies(const Edge& edge) {
  std::string command = edge.command;
  for (const char* option : {"-MMD", "-MD"}) {
    const std::string asked = fmt::format(" {} -MF {}.d ", option, edge.output);
    const size_t at = command.find(asked);
    if (at != std::string::npos) command.replace(at, asked.size(), " ");
  }
  return command;
}

// With an option behind the program, before all others.
std::string WithOption(const std::string& command, const std::string& option) {
  size_t end = command.find(command.starts_with('\'') ? "' " : " ");
  if (command.starts_with('\'') && end != std::string::npos) ++end;
  if (end == std::string::npos) return command;
  return command.substr(0, end) + " " + option + command.substr(end);
}

// Prints as ninja does.
class Printer {
 public:
  explicit Printer(size_t edges) : edges_(edges) {}

  void Print(const Edge& edge, const Ran& ran) {
    const std::lock_guard lock(mutex_);
    std::string text =
        fmt::format("[{}/{}] {}\n", ++done_, edges_, edge.command);
    if (ran.code != 0)
      text += fmt::format("FAILED: [code={}] {} \n{}\n", ran.code, edge.output,
                          edge.command);
    text += ran.output;
    if (!text.ends_with('\n')) text += '\n';
    std::fputs(text.c_str(), stdout);
  }

 private:
  std::mutex mutex_;
  size_t edges_;
  size_t done_ = 0;
};

class Builder {
 public:
  Builder(std::vector<Edge> edges, int at_once, std::string folder, How how)
      : edges_(std::move(edges)),
        commands_(at_once, std::move(folder)),
        printer_(edges_.size()),
        how_(std::move(how)) {}

  // Sources at the same time, then what is made of them.
  bool Run() {
    std::vector<std::future<bool>> compilations;
    for (const Edge& edge : edges_)
      if (IsCompilation(edge))
        compilations.push_back(
            std::async(std::launch::async, [&] { return Make(edge); }));
    bool good = true;
    for (auto& made : compilations) good &= made.get();
    for (const Edge& edge : edges_)
      if (good && !IsCompilation(edge)) good = Make(edge);
    return good;
  }

  // The lines for kBuilt.
  const std::string& headers_used() const { return headers_used_; }

 private:
  bool Make(const Edge& edge) {
    const Ran ran =
        IsCompilation(edge) ? Compile(edge) : commands_.Run(LinkOf(edge));
    printer_.Print(edge, ran);
    return ran.code == 0;
  }

  Ran Compile(const Edge& edge) {
    const std::string command = WithoutDependencies(edge);
    const Sources sources = ReadSources(edge.inputs, edge.command);
    if (const auto few = WriteHeaders(FewestOf(edge, sources, command))) {
      const Ran ran = Compile(edge, WithOption(command, "-I" + *few));
      if (ran.code == 0)
        Note(edge.rule == "compile" ? "declared" : "thin", edge, true);
      if (ran.code == 0 || AreAllOfSource(ran.output, sources)) return ran;
    }
    if (const auto slim = WriteHeaders(SlimOf(sources))) {
      const Ran ran = Compile(edge, WithOption(command, "-I" + *slim));
      if (ran.code == 0) Note("slim", edge);
      if (ran.code == 0 || IsOfSource(ran.output, sources)) return ran;
    }
    Note("whole", edge);
    return Compile(edge, command);
  }

  void Note(std::string_view headers, const Edge& edge,
            bool needs_bindings = false) {
    const std::lock_guard lock(mutex_);
    headers_used_ += fmt::format("{} {}\n", headers, edge.output);
    needs_bindings_ |= needs_bindings;
  }

  Ran Compile(const Edge& edge, const std::string& command) {
    if (edge.rule != "cuda_compile") return commands_.Run(command);
    return RunNvcc(command, edge.inputs.front() + edge.output, &commands_);
  }

  // Those that leave the work to what was compiled once for all.
  std::vector<Header> FewestOf(const Edge& edge, const Sources& sources,
                               const std::string& command) const {
    if (how_.whole_headers || how_.bindings.empty()) return {};
    return edge.rule == "compile" ? DeclaredHeaders(sources.text, command)
                                  : ThinHeaders(sources.text, command);
  }

  std::vector<Header> SlimOf(const Sources& sources) const {
    if (how_.whole_headers) return {};
    return SlimHeaders(sources.text, sources.torch_include);
  }

  // With what was compiled once for all, where a source was compiled without.
  std::string LinkOf(const Edge& edge) const {
    return needs_bindings_ ? WithOption(edge.command, how_.bindings)
                           : edge.command;
  }

  // Their folder; none where there are none.
  std::optional<std::string> WriteHeaders(const std::vector<Header>& headers) {
    std::string folder =
        fmt::format("{}/headers{}", commands_.folder(), commands_.NewName());
    for (const Header& header : headers) {
      const fs::path path = fs::path(folder) / header.name;
      if (!os::MakeDirectories(path.parent_path().string()) ||
          !os::WriteFileAtomically(path.string(), header.text))
        return std::nullopt;
    }
    if (headers.empty()) return std::nullopt;
    return folder;
  }

  std::vector<Edge> edges_;
  Commands commands_;
  Printer printer_;
  How how_;
  std::mutex mutex_;
  std::string headers_used_;
  bool needs_bindings_ = false;  // to be linked
};

// Of what is built and of what.
std::string Identity(const std::string& file, const std::vector<Edge>& edges) {
  base::KeyBuilder key;
  key.Add(file);
  for (const Edge& edge : edges)
    if (IsCompilation(edge))
      for (const std::string& input : edge.inputs)
        key.Add(os::ReadFile(input).value_or(""));
  return key.Finish();
}

bool IsBuilt(const std::string& identity, const std::vector<Edge>& edges) {
  std::error_code ignored;
  return os::ReadFile(kBuilt).value_or("").starts_with(identity) &&
         fs::exists(edges.back().output, ignored);
}

int AtOnce(const std::vector<std::string>& arguments) {
  int number = 0;
  const auto option = std::ranges::find(arguments, "-j");
  if (option != arguments.end() && std::next(option) != arguments.end()) {
    const std::string& text = *std::next(option);
    std::from_chars(text.data(), text.data() + text.size(), number);
  }
  if (number > 0) return number;
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

Result<bool> BuildHere(const std::vector<std::string>& arguments,
                       const How& how) {
  KB_ASSIGN(const std::string file, os::ReadFile(kBuildFile));
  KB_ASSIGN(const std::vector<Edge> edges, ReadBuildFile(file));
  const std::string identity = Identity(file, edges);
  if (IsBuilt(identity, edges)) {
    std::fputs("ninja: no work to do.\n", stdout);
    return true;
  }
  KB_ASSIGN(const os::TempDir folder, os::TempDir::Create("kb-build"));
  Builder builder(edges, AtOnce(arguments), folder.path(), how);
  if (!builder.Run()) {
    std::fputs("ninja: build stopped: subcommand failed.\n", stdout);
    return false;
  }
  KB_TRY(os::WriteFileAtomically(kBuilt,
                                 identity + "\n" + builder.headers_used()));
  return true;
}

}  // namespace

int Build(const std::vector<std::string>& arguments, const How& how) {
  if (std::ranges::find(arguments, "--version") != arguments.end()) {
    fmt::print("{}\n", kVersion);
    return 0;
  }
  const auto built = BuildHere(arguments, how);
  if (!built)
    fmt::print("ninja: error: {}: {}\n", kBuildFile, built.error().message());
  return built && *built ? 0 : 1;
}

}  // namespace kb::builder
