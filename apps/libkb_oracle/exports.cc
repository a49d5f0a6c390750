// Pulls the C interface out of the static library; exports.map names it.
#include "oracle/python_host.h"

extern "C" const void* const kb_oracle_exports[] = {
    reinterpret_cast<const void*>(&kb_oracle_main)};
