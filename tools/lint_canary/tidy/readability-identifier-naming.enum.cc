// Fires readability-identifier-naming: for enum 'bad_name'
enum class bad_name { kOne };
