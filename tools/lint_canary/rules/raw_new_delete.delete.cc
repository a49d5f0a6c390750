// Fires raw_new_delete: no raw new or delete
void F(int* number) { delete number; }
