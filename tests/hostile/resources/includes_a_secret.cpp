// expect: compile_error
// problem: level1/19
// tricks: N15
// twin: ../twins/relu.cpp
// about: Puts a file of the machine into its program.
// The first that is there is taken.
#if __has_include("/root/.profile")
#define FOUND "/root/.profile"
#elif __has_include("/etc/shadow")
#define FOUND "/etc/shadow"
#else
#error "nothing is here"
#endif
#include <kernelbench/candidate.h>

asm(".section .rodata\n.incbin \"" FOUND "\"\n.text\n");

int kb_forward(const kb_call*) { return 0; }
