// Fires performance-unnecessary-copy-initialization: is copy-constructed
#include <string>

struct Problem {
  const std::string& name() const;
};
bool Known(const Problem& problem) {
  const std::string name = problem.name();
  return name == "relu";
}
