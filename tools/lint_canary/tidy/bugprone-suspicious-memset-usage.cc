// Fires bugprone-suspicious-memset-usage: memset fill value
#include <cstring>

void Poison(void* bytes) { std::memset(bytes, 0xabcd, 8); }
