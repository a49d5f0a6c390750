// Fires modernize-use-nullptr: use nullptr
int* Nothing() { return 0; }
