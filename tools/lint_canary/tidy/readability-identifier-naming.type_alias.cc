// Fires readability-identifier-naming: for type alias 'bad_name'
using bad_name = int;
