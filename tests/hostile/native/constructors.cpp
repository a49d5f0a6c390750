// expect: load_error|runtime_error cuda=not_run
// problem: level1/19
// tricks: N10
// twin: ../twins/relu.cpp
// about: Works before and after the host: says that all is well and ends.
#include <kernelbench/candidate.h>

#include <stdio.h>
#include <unistd.h>

__attribute__((constructor)) static void Early() {
  puts("{\"verdict\": \"correct\"}");
  fflush(stdout);
  _exit(0);
}

int kb_forward(const kb_call*) { return 0; }
