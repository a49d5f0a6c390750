// Fires performance-inefficient-vector-operation: consider pre-allocating
#include <vector>

std::vector<int> Range(int n) {
  std::vector<int> range;
  for (int i = 0; i < n; ++i) range.push_back(i);
  return range;
}
