// Fires readability-identifier-naming: for struct 'bad_name'
struct bad_name {};
