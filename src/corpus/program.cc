#include "corpus/program.h"

#include <filesystem>
#include <system_error>

#include "base/text.h"
#include "os/files.h"
#include "os/walk.h"

namespace kb::corpus {
namespace {

namespace fs = std::filesystem;
using base::Result;

constexpr uint64_t kMostBytes = uint64_t{4} << 20;

bool IsSource(const fs::path& path) {
  const std::string extension = path.extension();
  return extension == ".cu" || extension == ".cpp" || extension == ".py";
}

bool IsFile(const fs::path& path) {
  std::error_code gone;
  return fs::is_regular_file(path, gone);
}

// "attempt.h" of #include "attempt.h", else empty. A path is the compiler's to
// look for, in its jail.
std::string HeaderOf(const std::string& line) {
  constexpr std::string_view kInclude = "#include \"";
  if (!line.starts_with(kInclude)) return "";
  const size_t end = line.find('"', kInclude.size());
  if (end == std::string::npos) return "";
  const std::string name = line.substr(kInclude.size(), end - kInclude.size());
  return name.find('/') == std::string::npos ? name : "";
}

// A candidate is one file, so a header that lies beside it is put in place.
Result<std::string> Whole(const fs::path& path, int depth) {
  constexpr int kMostDepth = 8;
  KB_ASSIGN(std::string text, os::ReadFile(path, kMostBytes));
  if (path.extension() == ".py") return text;
  std::string whole;
  for (const std::string& line : base::Split(text, '\n')) {
    const fs::path header = path.parent_path() / HeaderOf(line);
    if (HeaderOf(line).empty() || !IsFile(header)) {
      if (line != "#pragma once") whole += line + "\n";
      continue;
    }
    if (depth == kMostDepth)
      return base::Usage("{}: headers include each other", path.string());
    KB_ASSIGN(const std::string inner, Whole(header, depth + 1));
    whole += inner;
  }
  return std::string(base::Trim(whole)) + "\n";
}

Result<Program> LoadOne(const fs::path& path, const std::string& folder) {
  Program program;
  program.path = path;
  program.name = path.lexically_relative(folder);
  const size_t slash = program.name.find('/');
  if (slash != std::string::npos)
    program.family = program.name.substr(0, slash);
  KB_ASSIGN(program.source, Whole(path, 0));
  KB_ASSIGN(program.expectation,
            problems::ParseExpectation(path, program.source));
  return program;
}

}  // namespace

Result<std::vector<Program>> Load(const std::string& folder,
                                  const std::string& filter) {
  KB_ASSIGN(auto paths, os::FilesBelow(folder, [&](const std::string& path) {
              const fs::path below = fs::path(path).lexically_relative(folder);
              return IsSource(path) &&
                     below.string().find(filter) != std::string::npos;
            }));
  std::ranges::sort(paths, {},
                    [](const std::string& p) { return fs::path(p); });
  std::vector<Program> programs;
  for (const std::string& path : paths) {
    KB_ASSIGN(Program program, LoadOne(path, folder));
    programs.push_back(std::move(program));
  }
  return programs;
}

Result<Program> LoadFile(const std::string& folder, const std::string& name) {
  const fs::path path = fs::path(folder) / name;
  if (!IsFile(path))
    return base::Usage("{}: there is no program {}", folder, name);
  return LoadOne(path, folder);
}

std::string TwinPath(const Program& program) {
  return (fs::path(program.path).parent_path() / program.expectation.twin)
      .lexically_normal();
}

Result<Program> LoadTwin(const Program& program, const std::string& folder) {
  const std::string path = TwinPath(program);
  if (!IsFile(path))
    return base::Usage("{}: its twin {} is not there", program.path, path);
  return LoadOne(path, folder);
}

}  // namespace kb::corpus
