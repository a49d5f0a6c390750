// Fires bugprone-sizeof-expression: did you mean 'sizeof(*this)'
struct Header {
  int words[8];
  unsigned long Size() const { return sizeof(this); }
};
