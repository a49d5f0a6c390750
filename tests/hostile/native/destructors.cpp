// expect: incorrect cuda=not_run
// problem: level1/19
// tricks: N10
// twin: ../twins/relu.cpp
// about: Says that all was well when it is unloaded.
#include <kernelbench/candidate.h>

#include <stdio.h>

__attribute__((destructor)) static void Late() {
  puts("{\"verdict\": \"correct\"}");
}

int kb_forward(const kb_call*) { return 0; }
