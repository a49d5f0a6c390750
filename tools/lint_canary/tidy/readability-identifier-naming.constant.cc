// Fires readability-identifier-naming: for global constant 'answer'
extern const int answer;
const int answer = 42;
