#pragma once

namespace kb::report {

// 1, 2 or 5 times a power of ten, of which the range has `most` or fewer.
double RoundStep(double range, double most);

}  // namespace kb::report
