#include "header_libraries.h"

#include <algorithm>

#include "compile_fixture.h"

namespace kb::compile {
namespace {

constexpr const char* kUsesCutlass = "#include <cute/tensor.hpp>\n";

class HeaderLibrariesTest : public Scratch {
 protected:
  HeaderLibrariesTest() { places_.library_roots = {path() + "/local"}; }

  // A library with nothing but the header that it is known by.
  std::string Cutlass(const std::string& folder) {
    Write(folder + "/include/cutlass/cutlass.h", "#define CUTLASS_IS 42\n");
    return path() + "/" + folder;
  }
  std::string Kittens(const std::string& folder) {
    Write(folder + "/include/kittens.cuh", "#define KITTENS_ARE 9\n");
    Write(folder + "/prototype/prototype.cuh", "");
    return path() + "/" + folder;
  }

  std::vector<HeaderLibrary> Find() const {
    return Must(FindHeaderLibraries(places_, path() + "/site"));
  }
  // The folders of those that were found.
  std::vector<std::string> Folders() const {
    std::vector<std::string> folders;
    for (const HeaderLibrary& found : Find()) folders.push_back(found.folder);
    return folders;
  }
  HeaderUse Use(const std::string& source,
                const std::string& arch = "90a") const {
    return HeadersFor(source, Find(), arch);
  }

  SearchPlaces places_;
};

using Strings = std::vector<std::string>;

TEST_F(HeaderLibrariesTest, NoneIsFoundWhereThereIsNone) {
  Write("local/cutlass/include/other.h", "");
  EXPECT_EQ(Folders(), Strings());
}

TEST_F(HeaderLibrariesTest, VariableComesBeforeUsualFolderAndWheel) {
  const std::string wheel = Cutlass("site/cutlass_library/source");
  EXPECT_EQ(Folders(), Strings{wheel});
  const std::string usual = Cutlass("local/cutlass");
  EXPECT_EQ(Folders(), Strings{usual});
  places_.env["CUTLASS_HOME"] = Cutlass("home");
  EXPECT_EQ(Folders(), Strings{path() + "/home"});
  places_.env["CUTLASS_PATH"] = path() + "/nowhere";
  EXPECT_EQ(Folders(), Strings{path() + "/home"});
}

TEST_F(HeaderLibrariesTest, ToolsOfALibraryAreFoundToo) {
  const std::string folder = Kittens("local/ThunderKittens");
  EXPECT_EQ(Use("#include \"kittens.cuh\"").folders,
            (Strings{folder + "/include", folder + "/prototype"}));
}

TEST_F(HeaderLibrariesTest, OnlyThoseThatASourceIncludesAreGiven) {
  const std::string cutlass = Cutlass("local/cutlass");
  Kittens("local/ThunderKittens");
  EXPECT_EQ(Use("#include <vector>  // cutlass/ is not named so").folders,
            Strings());
  const HeaderUse use = Use(kUsesCutlass);
  EXPECT_EQ(use.folders, Strings{cutlass + "/include"});
  EXPECT_EQ(use.flags, Strings{"--expt-relaxed-constexpr"});
  EXPECT_EQ(use.env.at("CUTLASS_PATH"), cutlass);
  EXPECT_FALSE(use.cxx20);
  ASSERT_EQ(use.binds.size(), 1);
  EXPECT_EQ(use.binds[0].source, cutlass);
  EXPECT_FALSE(use.binds[0].writable);
}

TEST_F(HeaderLibrariesTest, KittensAreToldTheDevice) {
  Kittens("local/ThunderKittens");
  const auto has = [&](const char* arch, const char* flag) {
    const HeaderUse use = Use("#include <kittens.cuh>", arch);
    EXPECT_TRUE(use.cxx20);
    return std::ranges::count(use.flags, flag) == 1;
  };
  EXPECT_TRUE(has("90a", "-DKITTENS_HOPPER"));
  EXPECT_FALSE(has("90a", "-DKITTENS_BLACKWELL"));
  EXPECT_TRUE(has("100a", "-DKITTENS_BLACKWELL"));
  EXPECT_TRUE(has("80", "-DKITTENS_A100"));
  EXPECT_TRUE(has("89", "-DKITTENS_4090"));
}

TEST_F(HeaderLibrariesTest, FoldersThatAreNamedServeEverySource) {
  Write("mine/mine.h", "");
  Write("other/other.h", "");
  places_.includes = {path() + "/mine"};
  places_.env["KB_INCLUDE"] = ":" + path() + "/other";
  EXPECT_EQ(Use("").folders, (Strings{path() + "/mine", path() + "/other"}));
}

TEST_F(HeaderLibrariesTest, FolderThatIsNoneIsAnErrorThatNamesIt) {
  places_.includes = {path() + "/mine"};
  const auto found = FindHeaderLibraries(places_, "");
  ASSERT_FALSE(found);
  EXPECT_NE(found.error().message().find(path() + "/mine"), std::string::npos);
}

TEST_F(HeaderLibrariesTest, HomeIsNotShownToCandidates) {
  Write("home/secret", "");
  places_.env["HOME"] = path() + "/home";
  places_.includes = {path() + "/home"};
  EXPECT_FALSE(FindHeaderLibraries(places_, ""));
}

TEST_F(HeaderLibrariesTest, ContentsChangeWithAHeader) {
  Cutlass("local/cutlass");
  const Strings before = Use(kUsesCutlass).contents;
  EXPECT_EQ(Use(kUsesCutlass).contents, before);
  Write("local/cutlass/include/cute/tensor.hpp", "");
  EXPECT_NE(Use(kUsesCutlass).contents, before);
}

TEST(AdviceOnHeaders, IsGivenForAHeaderThatWasNotFoundOnly) {
  EXPECT_NE(AdviceOnHeaders("a.cu:1:10: fatal error: cute/tensor.hpp: No such "
                            "file or directory\n")
                .find("pip install nvidia-cutlass"),
            std::string::npos);
  EXPECT_NE(AdviceOnHeaders("x\na.cu:1:10: fatal error: kittens.cuh: No such "
                            "file or directory")
                .find("THUNDERKITTENS_ROOT"),
            std::string::npos);
  EXPECT_EQ(AdviceOnHeaders("a.cu:1:10: fatal error: mine.h: No such file or "
                            "directory"),
            "");
  EXPECT_EQ(AdviceOnHeaders("a.cu(3): error: cutlass/x is wrong"), "");
}

// Real compilers in a real jail.
class HeadersInAJail : public HeaderLibrariesTest {
 protected:
  HeadersInAJail() {
    tools_ = TheMachine().tools;
    options_.isolation = TheMachine().level;
    options_.cache_dir = path() + "/artifacts";
    options_.include_dir = SourceRoot() + "/share/include";
    options_.hosts_dir = SourceRoot() + "/hosts";
    options_.ninja_folder = KB_NINJA_FOLDER;
    candidate_.name = "a.cpp";
    candidate_.backend = record::Backend::kCpp;
  }

  Artifact Compile(const std::string& source) {
    candidate_.source = source;
    const Compiler compiler = Must(Compiler::Create(tools_, options_));
    return Must(compiler.Compile(candidate_, policy_, "x86-64", {}));
  }

  Toolchain tools_;
  Compiler::Options options_;
  record::Policy policy_;
  record::Candidate candidate_;
};

TEST_F(HeadersInAJail, NamedFolderIsIncludedFromAndBuiltAgainWhenItChanges) {
  const std::string source = "#include <mine.h>\nint mine() { return MINE; }\n";
  EXPECT_EQ(Compile(source).status, BuildStatus::kFailed);
  Write("mine/mine.h", "#define MINE 3\n");
  places_.includes = {path() + "/mine"};
  tools_.headers = Find();
  const Artifact first = Compile(source);
  EXPECT_EQ(first.status, BuildStatus::kOk) << first.log;
  EXPECT_TRUE(Compile(source).cached);
  Write("mine/mine.h", "#define MINE four\n");
  EXPECT_EQ(Compile(source).status, BuildStatus::kFailed);
}

TEST_F(HeadersInAJail, CudaCandidateFindsCutlass) {
  if (!tools_.nvcc.tool) GTEST_SKIP() << tools_.nvcc.reason;
  candidate_.name = "a.cu";
  candidate_.backend = record::Backend::kCuda;
  const std::string source =
      "#include <cutlass/cutlass.h>\n"
      "__global__ void f(int* x) { *x = CUTLASS_IS; }\n";
  const Artifact without = Compile(source);
  EXPECT_EQ(without.status, BuildStatus::kFailed);
  EXPECT_NE(without.log.find("nvidia-cutlass"), std::string::npos)
      << without.log;
  Cutlass("local/cutlass");
  tools_.headers = Find();
  const Artifact with = Compile(source);
  EXPECT_EQ(with.status, BuildStatus::kOk) << with.log;
}

}  // namespace
}  // namespace kb::compile
