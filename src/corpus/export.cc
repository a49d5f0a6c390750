#include <filesystem>

#include "base/json.h"
#include "corpus/program.h"
#include "os/files.h"
#include "record/document.h"

namespace kb::corpus {
namespace {

using base::Json;
using base::Result;

Json ExpectedOf(const problems::Expectation& expectation) {
  return {{"cpu", expectation.Describe("cpu")},
          {"cuda", expectation.Describe("cuda")}};
}

Json ToJson(const Program& program, const std::string& group) {
  const problems::Expectation& header = program.expectation;
  const auto twin =
      std::filesystem::path(program.name).parent_path() / header.twin;
  return {{"file", group + "/" + program.name},
          {"kind", group},
          {"family", program.family},
          {"problem", header.problem},
          {"tricks", header.tricks},
          {"expected", ExpectedOf(header)},
          {"twin", header.twin.empty()
                       ? Json(nullptr)
                       : Json(group + "/" + twin.lexically_normal().string())},
          {"about", header.about}};
}

Result<void> Write(const Program& program, const std::filesystem::path& to) {
  KB_TRY(os::MakeDirectories(to.parent_path()));
  return os::WriteFileAtomically(to, program.source);
}

}  // namespace

Result<void> Export(const std::vector<Group>& groups,
                    const std::string& folder) {
  const std::filesystem::path root(folder);
  Json files = Json::array();
  for (const Group& group : groups) {
    for (const Program& twin : group.twins)
      KB_TRY(Write(twin, root / group.name / twin.name));
    for (const Program& program : group.programs) {
      KB_TRY(Write(program, root / group.name / program.name));
      files.push_back(ToJson(program, group.name));
    }
  }
  const Json manifest = record::Document(
      "corpus", {{"version", KB_VERSION}, {"programs", std::move(files)}});
  return os::WriteFileAtomically(root / "manifest.json",
                                 base::DumpJson(manifest, 2) + "\n");
}

}  // namespace kb::corpus
