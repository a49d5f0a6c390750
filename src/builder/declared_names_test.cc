#include "declared_names.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>

namespace kb::builder {
namespace {

// What a text may declare of "a", "b", "x" and "Name": "macro a, global b".
std::string Declared(const std::string& text) {
  const auto found = MayDeclare(text, {"Name", "a", "b", "x"});
  if (!found) return "not understood";
  std::string said;
  const auto say = [&](const char* kind, const Names& names) {
    for (const std::string& name : names)
      said += std::string(said.empty() ? "" : ", ") + kind + " " + name;
  };
  say("macro", found->macros);
  say("global", found->global);
  say("inside", found->inside);
  return said;
}

TEST(DeclaredNames, AreThoseOutsideOfFunctionsAndClasses) {
  EXPECT_EQ(Declared("int a; void b(int x) { int Name = x; }"),
            "global a, global b");
  EXPECT_EQ(Declared("class Name : Base { int a; void b() { x(); } };"),
            "global Name");
  EXPECT_EQ(Declared("struct { int b; } a;"), "global a");
  EXPECT_EQ(Declared("typedef struct a { int x; } b;"), "global a, global b");
  EXPECT_EQ(Declared("using a = std::vector<int>;"), "global a");
}

TEST(DeclaredNames, OfNamespacesAreInside) {
  EXPECT_EQ(Declared("namespace at { int a; } int b;"), "global b, inside a");
  EXPECT_EQ(Declared("namespace at::native { namespace { int a; } }"),
            "inside a");
  EXPECT_EQ(Declared("extern \"C\" { int a; }"), "global a");
  EXPECT_EQ(Declared("using namespace at; int a;"), "global a");
}

TEST(DeclaredNames, OfEnumerationsAreSeen) {
  EXPECT_EQ(Declared("enum Name { a = 1 << 0, b = 1 << 1 };"),
            "global Name, global a, global b");
}

TEST(DeclaredNames, OfParametersAndArgumentsAreNot) {
  EXPECT_EQ(Declared("template <typename a, int b = (1 > 0)> int x();"),
            "global x");
  EXPECT_EQ(Declared("Pair<a, b> x();"), "global x");
  EXPECT_EQ(Declared("template <class T> struct Name<T[]> {};"), "global Name");
  EXPECT_EQ(Declared("int a[b]; int Name = x;"), "global Name, global a");
  EXPECT_EQ(Declared("Name::Name(int v) : a(v), b(v) { x(); } int x;"),
            "global Name, global x");
}

TEST(DeclaredNames, StandInParenthesesOfDeclarators) {
  EXPECT_EQ(Declared("typedef int (*a)(int b);"), "global a");
  EXPECT_EQ(Declared("int (Other::*a)(int b);"), "global a");
  EXPECT_EQ(Declared("int (a)(int b);"), "global a");
  EXPECT_EQ(Declared("void f(at::Tensor& a, const Other* b);"), "");
}

TEST(DeclaredNames, OfMacrosAreTheirNamesAndWhatTheyWouldDeclare) {
  EXPECT_EQ(Declared("#define a 1"), "macro a");
  EXPECT_EQ(Declared("#define MAKE(x) int a; \\\n  void f(int x) { int b; }"),
            "global a");
  EXPECT_EQ(Declared("#define M { /* a \\\n b */ int x; \\\n}\nint a;"),
            "global a");
  EXPECT_EQ(Declared("DECLARE(int, a); declare(int, b);"), "global a")
      << "a macro has no small letters";
  EXPECT_EQ(Declared("#define ALL(_) _(aten, a) _(&, b.x(b))"), "inside a");
  EXPECT_EQ(Declared("#ifdef a\n#undef b\n#endif"), "");
}

TEST(DeclaredNames, OfFriendsAreInside) {
  EXPECT_EQ(Declared("class C { friend void a(int b); int x; };"), "inside a");
}

TEST(DeclaredNames, AreNotInTexts) {
  EXPECT_EQ(Declared("// int a;\n/* int a; */ const char* b = \"} int a;\";"),
            "global b");
  EXPECT_EQ(Declared("auto b = R\"x(} int a; )\")x\"; int x = 1'000'000;"),
            "global b, global x");
  EXPECT_EQ(Declared("char b = '{'; int a;"), "global a, global b");
}

TEST(DeclaredNames, BranchesOfTheProcessorAreOneOrTheOther) {
  EXPECT_EQ(Declared("#if 1\nnamespace m {\n#else\nnamespace n {\n#endif\n"
                     "int a; } int b;"),
            "global b, inside a");
  EXPECT_EQ(Declared("#if 1\n#define M 1\n#else\nnamespace m {\n#endif\n"
                     "int a;\n#if 0\n}\n#endif\n"),
            "inside a");
  EXPECT_EQ(Declared("#ifdef __cplusplus\nextern \"C\" {\n#endif\nint a;\n"
                     "#ifdef __cplusplus\n}\n#endif\nint b;"),
            "global a, global b");
}

TEST(DeclaredNames, BracketsThatDoNotMatchAreNotUnderstood) {
  EXPECT_EQ(Declared("int a; }"), "not understood");
  EXPECT_EQ(Declared("namespace n { int a;"), "not understood");
}

}  // namespace
}  // namespace kb::builder
