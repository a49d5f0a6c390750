#include "reached_headers.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <set>
#include <string>

#include "os/files.h"

namespace kb::builder {
namespace {

// A folder of headers, and a source beside it.
class Reached : public testing::Test {
 protected:
  Reached() : folder_(os::TempDir::Create("kb-reached").value()) {
    sources_.header_folders = {folder_.path() + "/include"};
    sources_.files = {folder_.path() + "/main.cpp"};
  }

  void Write(const std::string& name, const std::string& text) const {
    const std::filesystem::path file = folder_.path() + "/" + name;
    std::filesystem::create_directories(file.parent_path());
    ASSERT_TRUE(os::WriteFileAtomically(file.string(), text));
  }

  // Those in our folder: "include/one.h ".
  std::string Seen(const std::string& source) {
    Write("main.cpp", source);
    std::set<std::string> names;
    EXPECT_TRUE(SeeReachedHeaders(
        sources_, [&](const std::string& path, const std::string&) {
          if (path.starts_with(folder_.path()))
            names.insert(path.substr(folder_.path().size() + 1));
          return true;
        }));
    std::string seen;
    for (const std::string& name : names) seen += name + " ";
    return seen;
  }

  os::TempDir folder_;
  Sources sources_;
};

TEST_F(Reached, HeadersAreSeenThroughOthers) {
  Write("include/one.h", "#  include <deep/two.h>\n");
  Write("include/deep/two.h", "#include \"three.h\"\n#include \"one.h\"\n");
  Write("include/deep/three.h", "");
  Write("include/four.h", "");
  EXPECT_EQ(Seen("#include <one.h>\n"),
            "include/deep/three.h include/deep/two.h include/one.h ");
  EXPECT_EQ(Seen(""), "");
}

TEST_F(Reached, ConditionsAreNotLookedAt) {
  Write("include/one.h", "#if 0\n#include <two.h>\n#endif\n");
  Write("include/two.h", "");
  EXPECT_EQ(Seen("#include <one.h>\n"), "include/one.h include/two.h ");
}

TEST_F(Reached, AllOfALibraryWhereAMacroSaysWhat) {
  Write("include/lib/one.h", "#include LIB_CONFIG\n/* #include's */\n");
  Write("include/lib/config/two.h", "");
  Write("include/other/three.h", "");
  EXPECT_EQ(Seen("#include <lib/one.h>\n"),
            "include/lib/config/two.h include/lib/one.h ");
}

TEST_F(Reached, AFileBesideTheSourceIsOneOfThem) {
  Write("own.h", "");
  EXPECT_EQ(Seen("#include \"own.h\"\n#include <nowhere.h>\n"), "own.h ");
}

TEST_F(Reached, WhoSaysNoIsNotAskedAgain) {
  Write("include/one.h", "#include <two.h>\n");
  Write("include/two.h", "");
  Write("main.cpp", "#include <one.h>\n");
  int asked = 0;
  EXPECT_FALSE(
      SeeReachedHeaders(sources_, [&](const std::string&, const std::string&) {
        ++asked;
        return false;
      }));
  EXPECT_EQ(asked, 1);
}

TEST_F(Reached, ASourceThatCannotBeReadProvesNothing) {
  EXPECT_FALSE(SeeReachedHeaders(
      sources_, [](const std::string&, const std::string&) { return true; }));
}

TEST_F(Reached, CudaSourcesHaveItsRuntime) {
  Write("include/cuda_runtime.h", "#include <crt/more.h>\n");
  Write("include/crt/more.h", "");
  EXPECT_EQ(Seen(""), "");
  sources_.files = {folder_.path() + "/main.cu"};
  Write("main.cu", "");
  EXPECT_EQ(Seen(""), "include/crt/more.h include/cuda_runtime.h ");
}

}  // namespace
}  // namespace kb::builder
