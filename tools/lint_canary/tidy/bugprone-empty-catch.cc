// Fires bugprone-empty-catch: empty catch statements hide issues
void Try();
void Swallow() {
  try {
    Try();
  } catch (...) {
  }
}
