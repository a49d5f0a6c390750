// Fires one_module_per_library: sqlite3.h is included by report and store
#include <sqlite3.h>
