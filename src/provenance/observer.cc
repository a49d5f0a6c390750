#include "provenance/observer.h"

#include "cupti.h"
#include "sampler.h"

namespace kb::provenance {

base::Result<std::unique_ptr<Observer>> Observer::Start(
    const std::string& device) {
  return device == "cpu" ? NewSampler() : NewCupti();
}

}  // namespace kb::provenance
