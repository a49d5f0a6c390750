// Fires readability-identifier-naming: for function 'badName'
int badName();
