// Fires cppcoreguidelines-special-member-functions: defines a non-default
// destructor
class Handle {
 public:
  ~Handle() { Close(); }

 private:
  void Close();
  int fd_ = -1;
};
