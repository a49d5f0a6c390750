// Fires readability-identifier-naming: for constexpr variable 'answer'
constexpr int answer = 42;
