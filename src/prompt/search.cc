#include "prompt/search.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <utility>

#include "base/hash.h"
#include "base/text.h"
#include "blocks.h"
#include "template.h"

namespace kb::prompt {
namespace {

using base::Result;

Values ValuesOf(const Known& parent, const Known& other) {
  Values values;
  values.texts = {
      {"parent.idea", parent.idea},   {"parent.source", parent.source},
      {"parent.line", parent.line},   {"parent.result", parent.result},
      {"other.source", other.source}, {"other.line", other.line},
      {"other.result", other.result}, {"others", ""},
      {"backend.fence", ""},          {"backend.file", ""}};
  return values;
}

}  // namespace

Result<SearchWriter> SearchWriter::Create(const SearchOptions& options) {
  SearchWriter writer;
  KB_ASSIGN(const Backend backend,
            ReadBackend(options.folder, options.backend));
  KB_ASSIGN(const SearchFile file,
            ReadSearchFile(options.folder, options.name));
  writer.file_name_ = backend.file_name;
  writer.fence_ = backend.fence;
  const Names names = NamesOf(ValuesOf({}, {}));
  const std::array<std::pair<std::string*, const SearchFile::Text*>, 4> texts{
      {{&writer.idea_, &file.idea},
       {&writer.program_, &file.program},
       {&writer.mutation_, &file.mutation},
       {&writer.crossover_, &file.crossover}}};
  for (const auto& [to, text] : texts) {
    KB_TRY(Template::Parse(text->text, names, file.path, text->line));
    *to = text->text;
  }
  return writer;
}

std::string SearchWriter::Rendered(const std::string& text, const Known& parent,
                                   const Known& other,
                                   const std::string& others) const {
  Values values = ValuesOf(parent, other);
  values.texts["others"] = others;
  values.texts["backend.fence"] = fence_;
  values.texts["backend.file"] = file_name_;
  const auto parsed = Template::Parse(text, NamesOf(values), "", 1);
  return parsed ? std::string(base::Trim(Join(parsed->Render(values)))) : "";
}

std::string SearchWriter::Idea(const Known& parent,
                               const std::vector<std::string>& others) const {
  return Rendered(idea_, parent, {},
                  fmt::format("{}", fmt::join(others, "\n")));
}

std::string SearchWriter::Program(const Known& idea) const {
  return Rendered(program_, idea, {}, "");
}

std::string SearchWriter::Mutation(const Known& parent) const {
  return Rendered(mutation_, parent, {}, "");
}

std::string SearchWriter::Crossover(const Known& parent,
                                    const Known& other) const {
  return Rendered(crossover_, parent, other, "");
}

std::string SearchWriter::Hash() const {
  base::KeyBuilder key;
  for (const std::string* text :
       {&idea_, &program_, &mutation_, &crossover_, &file_name_, &fence_})
    key.Add(*text);
  return key.Finish().substr(0, 16);
}

}  // namespace kb::prompt
