#include "html/html.h"

#include <fmt/format.h>

#include "base/check.h"
#include "base/text.h"
#include "html/format.h"
#include "html/text.h"

namespace kb::html {

std::string Cell(std::string_view text) {
  return VisibleLine(base::Shorten(text, 200));
}

std::string CountOf(size_t count, const char* noun) {
  return fmt::format("{} {}{}", FormatCount(static_cast<int64_t>(count)), noun,
                     count == 1 ? "" : "s");
}

Html& Html::Open(const char* tag, Attributes attributes) {
  text_ += '<';
  text_ += tag;
  for (const auto& [name, value] : attributes) {
    text_ += ' ';
    text_ += name;
    text_ += "=\"";
    text_ += EscapeHtml(VisibleLine(value));
    text_ += '"';
  }
  text_ += '>';
  open_.push_back(tag);
  return *this;
}

Html& Html::Close() {
  KB_CHECK(!open_.empty());
  text_ += "</";
  text_ += open_.back();
  text_ += '>';
  open_.pop_back();
  return *this;
}

Html& Html::Text(std::string_view text) {
  text_ += EscapeHtml(VisibleLine(text));
  return *this;
}

Html& Html::Raw(std::string_view markup) {
  text_ += markup;
  return *this;
}

Html& Html::Line() {
  text_ += '\n';
  return *this;
}

Html& Html::Element(const char* tag, std::string_view text,
                    Attributes attributes) {
  return Open(tag, attributes).Text(text).Close();
}

std::string Html::Take() {
  KB_CHECK(open_.empty());
  return std::move(text_);
}

const char* VerdictKind(const std::optional<record::Verdict>& verdict) {
  if (!verdict) return "quiet";
  using record::Verdict;
  switch (*verdict) {
    case Verdict::kCorrect:
      return "good";
    case Verdict::kIncorrect:
      return "bad";
    case Verdict::kNotCertified:
      return "doubt";
    case Verdict::kRejected:
      return "rule";
    case Verdict::kInfraError:
      return "quiet";
    case Verdict::kCompileError:
    case Verdict::kLoadError:
    case Verdict::kRuntimeError:
    case Verdict::kTimeout:
    case Verdict::kOutOfMemory:
      break;
  }
  return "broken";
}

}  // namespace kb::html
