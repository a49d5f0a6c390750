#pragma once

#include <span>

#include "oracle/reference.h"

namespace kb::oracle {

// Rounding error of the type: half a unit in the last place of 1.
double RoundingError(record::DType dtype);

// By how many roundings of its type an element may err where another errs by
// one. In 16 bits every kernel adds up in more. In 32 each step of a sum
// rounds: one after the other, n terms err by the root of n (N. Higham,
// Accuracy and Stability of Numerical Algorithms, 4.2 and 2.6), and 2^16 are
// many. 0: no element has a tolerance of its own.
double StepsIn(record::DType dtype);

// By how many roundings an answer may err that is a sum of all that is drawn
// for it. PyTorch adds in more parts than other kernels do: n terms in as many
// parts as each has terms, one after the other, err by the fourth root of n
// (Higham as above), and by more where most are so far below the sum that they
// all lose alike, hence twice. 0: fewer than 2^16, of which a block of 256
// threads adds up no more than 256 in each, or another type than float32.
double RoundingsOfSum(std::span<const TensorView> inputs,
                      const record::TensorSpec& output);

}  // namespace kb::oracle
