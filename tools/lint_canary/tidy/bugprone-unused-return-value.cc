// Fires bugprone-unused-return-value: the value returned by this function
#include <memory>

void Leak(std::unique_ptr<int>& owner) { owner.release(); }
