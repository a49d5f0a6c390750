// Fires raw_new_delete: no raw new or delete
int* F() { return new int(1); }
