// Fires bugprone-implicit-widening-of-multiplication-result: widening
unsigned long Bytes(int rows, int columns) {
  unsigned long bytes = static_cast<unsigned>(rows * columns) * 8U;
  return bytes;
}
