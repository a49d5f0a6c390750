// Fires cppcoreguidelines-pro-type-cstyle-cast: do not use C-style cast
const int* Cast(const char* bytes) { return (const int*)bytes; }
