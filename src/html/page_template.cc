#include "html/page_template.h"

#include "base/check.h"
#include "html/text.h"

namespace kb::html {

std::string FillPage(const char* page, const Data& data) {
  kainjow::mustache::mustache text{std::string(page)};
  KB_CHECK(text.is_valid());
  text.set_custom_escape(
      [](const std::string& value) { return EscapeHtml(value); });
  return text.render(data);
}

}  // namespace kb::html
