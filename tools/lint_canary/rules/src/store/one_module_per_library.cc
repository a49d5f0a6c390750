// The module that may.
#include <sqlite3.h>
