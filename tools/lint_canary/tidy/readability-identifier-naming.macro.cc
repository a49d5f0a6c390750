// Fires readability-identifier-naming: for macro definition 'CHECK'
#define CHECK(condition) ((condition) ? 1 : 0)
int checked = CHECK(1);
