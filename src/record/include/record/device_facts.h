#pragma once

#include <string>

#include "base/json.h"
#include "base/result.h"

namespace kb::record {

// The device that something was measured on.
struct DeviceFacts {
  std::string device;  // "cuda:0", "cpu"
  std::string name;    // "NVIDIA H100 80GB HBM3"
  std::string driver;  // "580.159.04", "" on cpu
  std::string torch;   // "2.11.0+cu130"
  std::string arch;    // "sm_90", "x86-64"
  bool operator==(const DeviceFacts&) const = default;
};
base::Json ToJson(const DeviceFacts& facts);
base::Result<DeviceFacts> DeviceFactsFromJson(const base::Json& json);

}  // namespace kb::record
