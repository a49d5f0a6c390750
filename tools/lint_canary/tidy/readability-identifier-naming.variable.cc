// Fires readability-identifier-naming: for variable 'badName'
int F() {
  int badName = 1;
  return badName;
}
