// Fires google-build-using-namespace: do not use namespace using-directives
namespace kb {
int F();
}
using namespace kb;
