// Fires readability-identifier-naming: for static constant 'digits'
int First() {
  static const int digits[] = {1, 2};
  return digits[0];
}
