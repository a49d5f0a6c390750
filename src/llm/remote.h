#pragma once

#include <memory>

#include "dialect.h"
#include "key.h"
#include "llm/provider.h"

namespace kb::llm {

// A model behind HTTP, spoken to in `dialect`.
std::unique_ptr<Provider> MakeRemote(const Model& model, Key key,
                                     std::unique_ptr<Dialect> dialect);

}  // namespace kb::llm
