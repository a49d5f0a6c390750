#pragma once

namespace kb::oracle {

// What the oracle does against candidates, each of which some program of
// tests/hostile needs.
enum class Defence {
  kFreshInputs,  // new bytes in every call
  kPoison,       // in outputs before a call
  kInputs,       // are compared after a call
  kWeights,      // are written anew for each process, and compared after it
  kRedZones,     // around outputs
};

// All are. Only a library of the tests (KB_WEAKENED, tests/weakened)
// is told in KB_WITHOUT which one is not, to show that it is needed.
#ifdef KB_WEAKENED
bool IsOn(Defence defence);
#else
constexpr bool IsOn(Defence) { return true; }
#endif

}  // namespace kb::oracle
