// Fires readability-identifier-naming: for type template parameter 'type_name'
template <typename type_name>
struct Box {
  type_name value;
};
