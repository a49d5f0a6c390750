// Fires readability-identifier-naming: for member 'badName'
struct Box {
  int badName;
};
