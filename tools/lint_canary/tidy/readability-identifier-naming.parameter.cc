// Fires readability-identifier-naming: for parameter 'badName'
int Twice(int badName) { return 2 * badName; }
