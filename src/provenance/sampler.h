#pragma once

#include <memory>

#include "provenance/observer.h"

namespace kb::provenance {

// Of the calling thread, by SIGPROF at even times of the clock: what it waits
// for counts, too, since a parallel loop belongs to who began it.
base::Result<std::unique_ptr<Observer>> NewSampler();

}  // namespace kb::provenance
