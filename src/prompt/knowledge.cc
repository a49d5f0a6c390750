#include "prompt/knowledge.h"

#include <fmt/format.h>

#include <filesystem>

#include "base/hash.h"
#include "base/text.h"
#include "blocks.h"
#include "template.h"

namespace kb::prompt {
namespace {

using base::Result;

Texts TextsOf(const Lesson& lesson, size_t number) {
  return {{"example.number", fmt::format("{}", number)},
          {"example.name", lesson.name},
          {"example.tags", lesson.tags},
          {"example.speedup", lesson.speedup},
          {"example.device", lesson.device},
          {"example.approaches", lesson.approaches},
          {"example.added", lesson.added},
          {"example.before", lesson.before},
          {"example.reference", std::string(base::Trim(lesson.reference))},
          {"example.source", std::string(base::Trim(lesson.source))}};
}

Names AllNames() {
  Names names;
  names.texts.insert("backend.fence");
  for (const auto& [name, value] : TextsOf({}, 1))
    names.of_example.insert(name);
  return names;
}

}  // namespace

Result<KnowledgeWriter> KnowledgeWriter::Create(
    const KnowledgeOptions& options) {
  KnowledgeWriter writer;
  KB_ASSIGN(const Backend backend,
            ReadBackend(options.folder, options.backend));
  KB_ASSIGN(const KnowledgeFile file,
            ReadKnowledgeFile(options.folder, options.name));
  KB_TRY(Template::Parse(file.text, AllNames(), file.path, file.line));
  writer.text_ = file.text;
  writer.fence_ = backend.fence;
  writer.extension_ = std::filesystem::path(backend.file_name).extension();
  return writer;
}

std::string KnowledgeWriter::Write(const std::vector<Lesson>& lessons) const {
  if (lessons.empty()) return "";
  Values values;
  values.texts["backend.fence"] = fence_;
  for (const Lesson& lesson : lessons)
    values.examples.push_back(TextsOf(lesson, values.examples.size() + 1));
  const auto parsed = Template::Parse(text_, AllNames(), "", 1);
  return parsed ? std::string(base::Trim(Join(parsed->Render(values)))) : "";
}

std::string KnowledgeWriter::Hash() const {
  base::KeyBuilder key;
  key.Add(text_);
  key.Add(fence_);
  return key.Finish().substr(0, 16);
}

}  // namespace kb::prompt
