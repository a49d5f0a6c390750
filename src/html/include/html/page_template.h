#pragma once

#include <kainjow/mustache.hpp>
#include <string>

namespace kb::html {

// What a template's names stand for: texts, truths and lists of such.
using Data = kainjow::mustache::data;
using DataList = kainjow::mustache::list;

// A page of ours, filled in: {{name}} is escaped, {{{name}}} is markup.
std::string FillPage(const char* page, const Data& data);

}  // namespace kb::html
