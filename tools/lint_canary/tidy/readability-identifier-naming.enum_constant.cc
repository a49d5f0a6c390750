// Fires readability-identifier-naming: for enum constant 'ONE'
enum class Number { ONE };
