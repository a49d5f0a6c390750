// Fires bugprone-dangling-handle: outlives its value
#include <string>
#include <string_view>

std::string Name();
size_t Length() {
  std::string_view name = Name();
  return name.size();
}
