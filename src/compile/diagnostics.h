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

// The first line, folders cut off, that says what the system says of a full
// disk, a quota or a disk that fails; empty: none. Lines of source that a
// compiler quotes are not meant, but a source can have others printed.
std::string LineOfDisk(std::string_view raw);

}  // namespace kb::compile
