// Fires performance-unnecessary-value-param: is copied for each invocation
#include <string>

size_t Length(const std::string text) { return text.size(); }
