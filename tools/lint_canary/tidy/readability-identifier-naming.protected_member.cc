// Fires readability-identifier-naming: for protected member 'count'
class Box {
 protected:
  int count = 0;
};
