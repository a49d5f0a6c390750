// Fires relative_include: climbs out of its folder
#include "../store/include/store/store.h"
