// Fires readability-identifier-naming: for method 'badName'
struct Box {
  int badName() const;
};
