// expect: runtime_error|incorrect cuda=not_run
// problem: level1/19
// tricks: N11
// twin: ../twins/relu.cpp
// about: Throws through the frames of the host.
#include <kernelbench/candidate.h>

#include <stdexcept>

int kb_forward(const kb_call*) { throw std::runtime_error("all outputs agree"); }
