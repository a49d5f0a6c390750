// Fires google-explicit-constructor: in_header.h:5:3: error
#include "google-explicit-constructor.in_header.h"
