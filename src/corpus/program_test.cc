#include "corpus/program.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "base/json.h"
#include "os/files.h"

namespace kb::corpus {
namespace {

namespace fs = std::filesystem;

class Folder : public testing::Test {
 protected:
  void Write(const std::string& name, const std::string& text) {
    const fs::path path = root() / name;
    ASSERT_TRUE(os::MakeDirectories(path.parent_path()));
    ASSERT_TRUE(os::WriteFileAtomically(path, text));
  }
  fs::path root() const { return folder_->path(); }
  std::string text(const std::string& name) const {
    return os::ReadFile(root() / name).value_or("");
  }

 private:
  base::Result<os::TempDir> folder_ = os::TempDir::Create("kbcorpus");
};

constexpr const char* kHeader =
    "// expect: incorrect cuda=not_run\n// problem: level1/19\n"
    "// tricks: C01, C06\n// twin: ../twins/t.cpp\n";

TEST_F(Folder, ProgramsHaveTheirFamilyAndTheirTwin) {
  Write("caching/a.cpp", std::string(kHeader) + "int a;\n");
  Write("twins/t.cpp", "// expect: correct\n// problem: level1/19\n");
  Write("README.md", "prose");
  const auto programs = Load(root(), "caching");
  ASSERT_TRUE(programs) << programs.error().message();
  ASSERT_EQ(programs->size(), 1U);
  const Program& program = programs->front();
  EXPECT_EQ(program.name, "caching/a.cpp");
  EXPECT_EQ(program.family, "caching");
  EXPECT_EQ(program.expectation.tricks,
            (std::vector<std::string>{"C01", "C06"}));
  const auto twin = LoadTwin(program, root());
  ASSERT_TRUE(twin) << twin.error().message();
  EXPECT_EQ(twin->name, "twins/t.cpp");
}

TEST_F(Folder, HeadersBesideItArePutInPlace) {
  Write("clock/a.cu",
        std::string(kHeader) + "#include \"in.h\"\n#include \"other.h\"\n");
  Write("clock/in.h", "#pragma once\n#include \"inner.h\"\nint in;\n");
  Write("clock/inner.h", "int inner;\n");
  const auto programs = Load(root(), "");
  ASSERT_TRUE(programs) << programs.error().message();
  EXPECT_NE(programs->front().source.find("int inner;\nint in;\n"),
            std::string::npos)
      << programs->front().source;
  EXPECT_NE(programs->front().source.find("#include \"other.h\""),
            std::string::npos);
}

TEST_F(Folder, PathsOfTheMachineAreLeftToTheCompiler) {
  Write("secret", "int secret;\n");
  const std::string line = "#include \"" + (root() / "secret").string() + "\"";
  Write("clock/a.cu", kHeader + line + "\n#include \"../secret\"\n");
  const auto programs = Load(root(), "");
  ASSERT_TRUE(programs) << programs.error().message();
  const std::string& source = programs->front().source;
  EXPECT_EQ(source.find("int secret"), std::string::npos) << source;
  EXPECT_NE(source.find(line), std::string::npos) << source;
}

TEST_F(Folder, MissingTwinAndEmptyFolderAreSaid) {
  Write("caching/a.cpp", kHeader);
  const auto programs = Load(root(), "");
  ASSERT_TRUE(programs);
  const auto twin = LoadTwin(programs->front(), root());
  ASSERT_FALSE(twin);
  EXPECT_NE(twin.error().message().find("twins/t.cpp"), std::string::npos);
  EXPECT_TRUE(Load(root(), "no such")->empty());
  EXPECT_FALSE(Load(root() / "no such", ""));
}

TEST_F(Folder, ExportIsFilesAndWhatIsExpectedOfThem) {
  Write("caching/a.cpp", kHeader);
  Write("twins/t.cpp", "// expect: correct\n// problem: level1/19\n");
  const auto programs = Load(root(), "caching");
  ASSERT_TRUE(programs);
  const auto twin = LoadTwin(programs->front(), root());
  ASSERT_TRUE(twin);
  ASSERT_TRUE(Export({{"hostile", *programs, {*twin}}}, root() / "out"));
  EXPECT_EQ(text("out/hostile/caching/a.cpp"), programs->front().source);
  EXPECT_EQ(text("out/hostile/twins/t.cpp"), twin->source);
  const auto manifest = base::ParseJson(text("out/manifest.json"), "m");
  ASSERT_TRUE(manifest);
  const auto& file = manifest->at("programs").at(0);
  EXPECT_EQ(file.at("file"), "hostile/caching/a.cpp");
  EXPECT_EQ(file.at("twin"), "hostile/twins/t.cpp");
  EXPECT_EQ(file.at("expected").at("cpu"), "incorrect");
  EXPECT_EQ(file.at("expected").at("cuda"), "not_run");
}

}  // namespace
}  // namespace kb::corpus
