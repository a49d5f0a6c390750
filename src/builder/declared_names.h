#pragma once

#include <optional>
#include <string_view>

#include "torch_text.h"

namespace kb::builder {

// Of some names those that a C++ text may declare where a source that includes
// it can use them as they are.
struct DeclaredNames {
  Names macros;
  Names global;  // in the global namespace
  Names inside;  // in another one, or as somebody's friends
};

// Those of `names` that stand outside of classes, functions and lists of
// parameters. More than are declared: types of what is, values of initializers,
// arguments of macros. None where brackets of the text do not match.
std::optional<DeclaredNames> MayDeclare(std::string_view text,
                                        const Names& names);

}  // namespace kb::builder
