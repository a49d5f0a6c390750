// expect: load_error cuda=not_run
// problem: level1/19
// about: kb_setup refuses with 7, and the report says so.
#include <kernelbench/candidate.h>

int kb_setup(const kb_model*, void**) { return 7; }

int kb_forward(const kb_call*) { return 0; }
