// Fires bugprone-too-small-loop-variable: has narrower type
long Sum(long n) {
  long sum = 0;
  for (short i = 0; i < n; ++i) sum += i;
  return sum;
}
