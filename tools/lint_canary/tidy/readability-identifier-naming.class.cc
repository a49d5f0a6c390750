// Fires readability-identifier-naming: for class 'bad_name'
class bad_name {};
