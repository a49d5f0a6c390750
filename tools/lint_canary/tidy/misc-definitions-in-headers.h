// Included by misc-definitions-in-headers.cc.
#pragma once

int Twice(int x) { return 2 * x; }
