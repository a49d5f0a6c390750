#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/result.h"
#include "record/generation.h"
#include "run/asking.h"
#include "store/store.h"

namespace kb::run {

// The program of a run's sample of the problem of `wanted` with which a search
// can begin: of `turn`, else of the turn that counts. It cost nothing here.
// None: the run has no program there. A usage Error when samples of several
// models are there.
base::Result<std::optional<record::Generation>> GivenFrom(
    const store::Store& store, const std::string& run, const Wanted& wanted,
    int64_t sample, std::optional<int64_t> turn);

}  // namespace kb::run
