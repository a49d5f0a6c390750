#pragma once

#include <functional>
#include <string>

#include "sources.h"

namespace kb::builder {

// Is told of a header, and says whether to go on.
using SeeHeader =
    std::function<bool(const std::string& path, const std::string& text)>;

// Calls `see` with each header that the sources may include, at last through
// others, until it says false. They are more than a compiler would read:
// conditions are not looked at, and a name that several folders have is that of
// all of them. False where `see` said so, and where what compilers have of
// their own is not found.
bool SeeReachedHeaders(const Sources& sources, const SeeHeader& see);

// The same of what every CUDA source is given.
bool SeeHeadersOfCuda(const Sources& sources, const SeeHeader& see);

}  // namespace kb::builder
