// expect: compile_error
// problem: level1/19
// tricks: R10
// twin: ../twins/relu.cpp
// about: A program of ten gigabytes.
#include <kernelbench/candidate.h>

asm(".data\n.fill 1342177280, 8, 0x5a5a5a5a\n.text\n");

int kb_forward(const kb_call*) { return 0; }
