// Fires misc-definitions-in-headers: defined in a header file
#include "misc-definitions-in-headers.h"
