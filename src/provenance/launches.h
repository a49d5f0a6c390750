#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "device_work.h"
#include "objects.h"
#include "tally.h"

namespace kb::provenance {

// Who asked the device for what, and what it did then.
class Launches {
 public:
  struct Owner {
    CodeKind kind = CodeKind::kOwn;
    std::string path;
  };

  // A call that the device answers with work, known by its correlation.
  struct Call {
    std::optional<Owner> owner;
    bool knows_module = false;  // the owner holds the kernel's code
    bool graph = false;         // launches kernels whose names alone are known
    int64_t chain = 0;          // of calls, in which it was made
  };
  void AddCall(uint32_t correlation, Call call);

  // Of kernels, when they are launched or captured into a graph, and when a
  // module with them was loaded.
  void AddLaunch(const std::string& kernel, const Owner& owner);
  void AddModule(const std::string& kernel, const Owner& owner);

  // What the device did. `kernel` empty: copied or filled memory.
  struct Work {
    uint32_t correlation = 0;
    std::string kernel;
    double nanos = 0;
    DeviceWork::Item item = {};  // but whose it is, and the chain
  };
  // Adds it to `tally`, unless the call was not added or was ours.
  void Count(const Work& work, Tally* tally) const;
  // The same.
  void Count(const Work& work, DeviceWork* sum) const;

 private:
  // Whose it is, and in which chain; nothing: it does not count.
  struct Whose {
    record::Origin origin = record::Origin::kUnknown;
    std::string path;
    int64_t chain = 0;
  };
  std::optional<Whose> WhoseIs(const Work& work) const;
  std::optional<Owner> OwnerOf(const std::string& kernel,
                               const Call& call) const;

  std::map<uint32_t, Call> calls_;
  std::map<std::string, Owner> launched_;  // by kernel
  std::map<std::string, Owner> loaded_;
};

}  // namespace kb::provenance
