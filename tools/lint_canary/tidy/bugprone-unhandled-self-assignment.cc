// Fires bugprone-unhandled-self-assignment: does not handle self-assignment
class Owner {
 public:
  Owner(const Owner& other);
  Owner(Owner&& other) noexcept;
  Owner& operator=(const Owner& other) {
    Close();
    handle_ = other.handle_;
    return *this;
  }
  Owner& operator=(Owner&& other) noexcept;
  ~Owner();

 private:
  void Close();
  int* handle_;
};
