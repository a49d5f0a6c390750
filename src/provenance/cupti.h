#pragma once

#include <memory>

#include "provenance/observer.h"

namespace kb::provenance {

// Of what runs on CUDA devices for this process.
base::Result<std::unique_ptr<Observer>> NewCupti();

}  // namespace kb::provenance
