// Fires performance-for-range-copy: the loop variable's type is not a reference
#include <string>
#include <vector>

size_t Total(const std::vector<std::string>& names) {
  size_t total = 0;
  for (const std::string name : names) total += name.size();
  return total;
}
