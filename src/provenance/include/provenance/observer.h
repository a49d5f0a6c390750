#pragma once

#include <memory>
#include <string>

#include "base/result.h"
#include "record/profile.h"
#include "record/provenance.h"

namespace kb::provenance {

// Looks whose code runs in this process, and where its time goes, between Begin
// and End. One at a time.
//
// It lives in the process that it observes, so what it tells is evidence
// (docs/provenance.md, docs/profile.md).
class Observer {
 public:
  // Before the device is opened, for all modules to be seen. `device`: "cpu"
  // (looks at the calling thread), "cuda:N" (CUPTI: KB_CUPTI names its file,
  // else the one that is loaded already is taken, else what the system finds).
  static base::Result<std::unique_ptr<Observer>> Start(
      const std::string& device);
  virtual ~Observer() = default;

  virtual void Begin() = 0;
  // So many calls of forward were made since Begin.
  virtual void End(int64_t calls) = 0;

  // Of all that ran between Begin and End, which the device has ended. An Error
  // when nothing was seen.
  virtual base::Result<record::Provenance> Tell() = 0;

  // The same, as functions or kernels. After Tell.
  virtual base::Result<record::Activity> TellActivity() = 0;
};

}  // namespace kb::provenance
