#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/json.h"
#include "base/result.h"

namespace kb::record {

// Whose code ran while a candidate worked (docs/provenance.md).
enum class Origin {
  kOwn,        // what it brought along and compiled
  kTriton,     // its kernels of Triton
  kGenerated,  // kernels that torch.compile made
  kLibrary,    // cuBLAS, cuDNN, MKL, ... and other installed libraries
  kFramework,  // PyTorch's operators
  kCopies,     // copies and fills by the device's copy functions
  kHost,       // the interpreter, PyTorch's bindings, and what is ours
  kUnknown,
};
inline constexpr size_t kOrigins = 8;
const char* OriginName(Origin origin);  // "own"
std::optional<Origin> ParseOrigin(const std::string& name);

// Which share of a candidate's time was spent in whose code, as its own process
// says: evidence, which a hostile one can forge. It decides no time and no
// right or wrong.
struct Provenance {
  std::string method;  // "cupti": device time; "samples": of the calling thread
  int64_t samples = 0;                    // kernels and copies, or looks
  std::array<double, kOrigins> shares{};  // by Origin; their sum is 1

  // Functions and objects that took most, at most kMostParts.
  struct Part {
    Origin origin = Origin::kUnknown;
    std::string object;  // the file's name: "libcublasLt.so.13"
    std::string name;    // of a kernel; empty on cpu
    double share = 0;
    bool operator==(const Part&) const = default;
  };
  std::vector<Part> parts;

  double share(Origin origin) const {
    return shares[static_cast<size_t>(origin)];
  }
  // Own and Triton's, of all that is not the host's. 0 where all is.
  double own_share() const;
  bool operator==(const Provenance&) const = default;
};
inline constexpr size_t kMostParts = 12;

base::Json ToJson(const Provenance& provenance);
// Also of what a jail sent: texts are cut and made printable, shares must be
// numbers from 0 to 1 whose sum is 1.
base::Result<Provenance> ProvenanceFromJson(const base::Json& json);

// "own 93 %, framework 7 %": what is not 0, the largest first.
std::string DescribeShares(const Provenance& provenance);

}  // namespace kb::record
