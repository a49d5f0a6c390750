#pragma once

namespace kb::cli {

// The kernelbench program. Exit codes: 0 done, 1 the answer is "no", 2 wrong
// usage, 3 our failure, 130 interrupted.
int Main(int argc, char** argv);

}  // namespace kb::cli
