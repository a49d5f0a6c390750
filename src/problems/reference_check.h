#pragma once

#include <string>
#include <vector>

namespace kb::problems {

// What is missing in a problem's source, and where.
struct Defect {
  int line = 0;  // 0: nowhere in particular
  std::string message;
};

// How a problem's source defines its reference.
struct CheckedSource {
  std::string reference;  // as record::Problem::reference
  // Its code names no floating type but PyTorch's default, so that casting to
  // that changes nothing.
  bool float32_alone = true;
  std::vector<Defect> defects;  // empty: complete
};

// `source`: Python, or any bytes. A reference is a class Model or ModelNew, for
// which get_inputs() and get_init_inputs() give the arguments, or a function
// `reference`, `module_fn` or `ref_kernel`, which get_inputs() is enough for.
CheckedSource CheckSource(const std::string& source);

}  // namespace kb::problems
