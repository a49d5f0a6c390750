// Fires bugprone-infinite-loop: this loop is infinite
int Count();
int Wait() {
  int waited = 0;
  int other = 0;
  while (waited < 10) {
    other += Count();
  }
  return other;
}
