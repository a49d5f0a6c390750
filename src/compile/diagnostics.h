#pragma once

#include <string>
#include <string_view>

namespace kb::compile {

// What a compiler said, cut down to what a person (or the model that wrote the
// kernel) needs: from the first error on, without warnings, command lines and
// progress; folders cut off, so that neither a sandbox's nor this machine's
// paths show. At most 8 KiB. Without anything that looks like an error: the
// start and the end of the whole.
std::string TrimDiagnostics(std::string_view raw);

}  // namespace kb::compile
