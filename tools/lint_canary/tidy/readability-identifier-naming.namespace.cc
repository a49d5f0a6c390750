// Fires readability-identifier-naming: for namespace 'BadName'
namespace BadName {
int F();
}  // namespace BadName
