// Fires bugprone-unused-raii: object destroyed immediately
struct Guard {
  explicit Guard(int fd);
  ~Guard();
};
int Count();
int Locked() {
  Guard(1);
  return Count();
}
