// Pulls the C interface out of the static library; exports.map names it.
#include "candidate/python_host.h"

extern "C" const void* const kb_candidate_exports[] = {
    reinterpret_cast<const void*>(&kb_candidate_main)};
