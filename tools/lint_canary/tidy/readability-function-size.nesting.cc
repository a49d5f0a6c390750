// Fires readability-function-size: exceeds recommended size
int Deep(int x) {
  if (x > 1) {
    if (x > 2) {
      if (x > 3) {
        if (x > 4) {
          if (x > 5) {
            return 1;
          }
        }
      }
    }
  }
  return 0;
}
