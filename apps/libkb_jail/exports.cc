// Pulls the C interface out of the static library; exports.map names it.
#include "jail/fork_service.h"

extern "C" const void* const kb_jail_exports[] = {
    reinterpret_cast<const void*>(&kb_jail_await_fork)};
