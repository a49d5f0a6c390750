// expect: compile_error
// problem: level1/19
// tricks: N15
// twin: ../twins/relu.cpp
// about: Puts our program, or the environment of who started the compiler, into its own.
#include <kernelbench/candidate.h>

#if __has_include("/proc/1/root/root/.profile")
#define FOUND "/proc/1/root/root/.profile"
#elif __has_include(<../../hosts/oracle_host.py>)
// The folder of our header, which the preprocessor knows and the assembler does not.
#define FOUND "/proc/self/cwd/hosts/oracle_host.py"
#else
#define FOUND "/proc/1/environ"
#endif
asm(".section .rodata\n.incbin \"" FOUND "\"\n.text\n");

int kb_forward(const kb_call*) { return 0; }
