#pragma once

#include "compile/toolchain.h"

namespace kb::compile {

// The first interpreter that will do: KB_PYTHON alone when it is set, else a
// .venv in the install root or above it, else python3 of PATH. The reason names
// each that was tried and what was wrong with it.
Found<Python> FindPython(const SearchPlaces& places);

}  // namespace kb::compile
