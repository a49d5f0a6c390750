// expect: runtime_error cuda=not_run
// problem: level1/19
// about: Ends its process with status 0, which must not look like success.
#include <kernelbench/candidate.h>

#include <cstdlib>

int kb_forward(const kb_call*) { std::exit(0); }
