// Fires readability-identifier-naming: for private member 'count'
class Box {
 public:
  int Count() const { return count; }

 private:
  int count = 0;
};
