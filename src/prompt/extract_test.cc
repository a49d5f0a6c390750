#include "prompt/extract.h"

#include <gtest/gtest.h>

namespace kb::prompt {
namespace {

using record::GenerationStatus;

const std::string kPython =
    "import torch\n\nclass ModelNew(torch.nn.Module):\n    pass\n";
const std::string kCuda =
    "#include <kernelbench/candidate.h>\n"
    "__global__ void k() {}\n"
    "int kb_forward(const kb_call* call) { k<<<1, 1>>>(); return 0; }\n";
const std::string kCpp =
    "int kb_forward(const kb_call* call) {\n  return 0;\n}\n";

std::string Fenced(const std::string& language, const std::string& code) {
  return "```" + language + "\n" + code + "```\n";
}

void ExpectComplete(const std::string& answer, const std::string& name,
                    const std::string& source,
                    llm::Finish finish = llm::Finish::kStop) {
  const Extracted found = ExtractCode(answer, finish);
  EXPECT_EQ(found.status, GenerationStatus::kComplete) << found.reason;
  EXPECT_EQ(found.reason, "");
  EXPECT_EQ(found.file_name, name);
  EXPECT_EQ(found.source, source);
}

TEST(Extract, LabelledBlockBetweenProse) {
  ExpectComplete("Here it is:\n\n" + Fenced("python", kPython) + "\nEnjoy!",
                 "answer.py", kPython);
}

TEST(Extract, LabelsDoNotMatter) {
  for (const char* label : {"", "py", "Python3", "text", "python title=\"a\""})
    ExpectComplete(Fenced(label, kPython), "answer.py", kPython);
}

TEST(Extract, KernelsAreCudaAndOtherwiseTheLabelTells) {
  ExpectComplete(Fenced("cpp", kCuda), "answer.cu", kCuda);
  ExpectComplete(Fenced("", kCuda), "answer.cu", kCuda);
  ExpectComplete(Fenced("cuda", kCpp), "answer.cu", kCpp);
  ExpectComplete(Fenced("c++", kCpp), "answer.cpp", kCpp);
  ExpectComplete(Fenced("", kCpp), "answer.cpp", kCpp);
}

TEST(Extract, WordsInCommentsAndStringsAreNotCuda) {
  const std::string comment =
      "int kb_forward(const kb_call* call) {\n"
      "  // On the CPU no __global__ kernel is needed.\n"
      "  const char* why = \"no <<<1, 1>>>\";\n  return 0;\n}\n";
  ExpectComplete(Fenced("cpp", comment), "answer.cpp", comment);
  ExpectComplete(Fenced("", comment), "answer.cpp", comment);
  const std::string guarded =
      "#ifdef __CUDACC__\n#define HD __device__\n#endif\n" + kCpp;
  ExpectComplete(Fenced("cpp", guarded), "answer.cpp", guarded);
  ExpectComplete(Fenced("", guarded), "answer.cu", guarded);
}

TEST(Extract, HeadersOfCudaAreCudaWhateverTheLabel) {
  for (const char* include :
       {"#include <cublas_v2.h>\n", "#include \"cuda_runtime.h\"\n"}) {
    const std::string code = include + kCpp;
    ExpectComplete(Fenced("cpp", code), "answer.cu", code);
  }
  const std::string comment = "// #include <cuda_runtime.h>\n" + kCpp;
  ExpectComplete(Fenced("cpp", comment), "answer.cpp", comment);
}

TEST(Extract, EntriesAreFoundHoweverTheyAreWritten) {
  for (const char* head :
       {"int kb_forward(const kb_call* call)  // the entry\n{ return 0; }",
        "int kb_forward(const kb_call* call /* all (of) it */) { return 0; }",
        "int kb_forward(const kb_call* call /* of ) it */) { return 0; }",
        "int kb_forward(const kb_call* (call)) { return 0; }",
        "auto kb_forward(const kb_call* call) -> int { return 0; }",
        "auto kb_forward(const kb_call* c) noexcept -> int { return 0; }",
        "int kb_forward(const kb_call* call) noexcept { return 0; }",
        "int kb_forward(const kb_call* call) noexcept(true) { return 0; }",
        "int kb_forward(const kb_call* c) noexcept(sizeof(int) > 1) {}",
        "int kb_forward(const kb_call* c) try { return 0; } catch (...) {}"}) {
    const std::string code = std::string("extern \"C\" ") + head + "\n";
    ExpectComplete(Fenced("cpp", code), "answer.cpp", code);
  }
}

TEST(Extract, CallsAndDeclarationsAreNoEntries) {
  for (const char* code :
       {"auto kb_forward(const kb_call* call) -> int;\nint x() { return 0; }\n",
        "int kb_forward(const kb_call* call) noexcept(true);\n",
        "void f() { if (kb_forward(call)) { g(); } }\n",
        "// int kb_forward(const kb_call* call) { return 0; }\n",
        "const char* s = \"int kb_forward(const kb_call* call) {}\";\n",
        "void f() { for (auto x : kb_forward(call)->all) { g(); } }\n"})
    EXPECT_EQ(ExtractCode(Fenced("cpp", code), llm::Finish::kStop).status,
              GenerationStatus::kNoCode)
        << code;
}

TEST(Extract, LastCompleteCandidateWins) {
  const std::string better = "# better\n" + kPython;
  ExpectComplete(Fenced("python", kPython) + "Wait, faster:\n" +
                     Fenced("python", better) + "Run it:\n" +
                     Fenced("bash", "python test.py\n"),
                 "answer.py", better);
}

TEST(Extract, ModelNewGoesBeforeNativeCode) {
  ExpectComplete(Fenced("python", kPython) + Fenced("cuda", kCuda), "answer.py",
                 kPython);
}

TEST(Extract, OtherFilesAreNotCandidates) {
  ExpectComplete(Fenced("cpp", "int kb_forward(const kb_call* call);\n") +
                     Fenced("cpp", kCpp) +
                     Fenced("cpp", "// calls kb_forward(call)\nint x;\n"),
                 "answer.cpp", kCpp);
}

TEST(Extract, ThinkingIsNoAnswer) {
  const std::string draft =
      "<think>\nMaybe\n" + Fenced("python", "# draft\n" + kPython) + "</think>";
  ExpectComplete(draft + Fenced("python", kPython), "answer.py", kPython);
  EXPECT_EQ(ExtractCode(draft, llm::Finish::kStop).status,
            GenerationStatus::kNoCode);
  // The opening mark is part of the prompt with some servers.
  ExpectComplete(draft.substr(7) + "\n" + Fenced("python", kPython),
                 "answer.py", kPython);
}

TEST(Extract, ThoughtThatNeverEndsHidesItsDrafts) {
  const Extracted found = ExtractCode(
      "<think>\n" + Fenced("python", kPython) + "hmm", llm::Finish::kLength);
  EXPECT_EQ(found.status, GenerationStatus::kTruncated);
  EXPECT_EQ(found.source, "");
}

TEST(Extract, CodeMayMentionTheThinkMark) {
  const std::string code = "TAG = \"<think>\"\n" + kPython;
  ExpectComplete(Fenced("python", code), "answer.py", code);
}

TEST(Extract, CodeMayMentionTheMarkThatEndsAThought) {
  const std::string code = "// the model ends with </think> here\n" + kCpp;
  ExpectComplete("Here:\n" + Fenced("cpp", code) + "Done.\n", "answer.cpp",
                 code);
  // Also behind a thought whose opening mark is missing.
  ExpectComplete("Maybe.\n" + Fenced("cpp", "// draft\n" + kCpp) +
                     "So.</think>\n" + Fenced("cpp", code),
                 "answer.cpp", code);
}

TEST(Extract, ThoughtMayEndWithinADraft) {
  ExpectComplete(
      "Hm:\n```cpp\nint x; no.</think>\n" + Fenced("cpp", kCpp) + "Done.\n",
      "answer.cpp", kCpp);
}

TEST(Extract, ByteOrderMarkIsNotText) {
  ExpectComplete("\xef\xbb\xbf" + Fenced("cpp", kCpp), "answer.cpp", kCpp);
  ExpectComplete("\xef\xbb\xbf" + kPython, "answer.py", kPython);
}

TEST(Extract, WindowsLineEnds) {
  ExpectComplete("Hi\r\n```python\r\nclass ModelNew:\r\n    pass\r\n```\r\n",
                 "answer.py", "class ModelNew:\n    pass\n");
}

TEST(Extract, TildesAndLongFences) {
  ExpectComplete("~~~python\n" + kPython + "~~~\n", "answer.py", kPython);
  ExpectComplete("`````\n" + kPython + "`````\n", "answer.py", kPython);
  const std::string code = kPython + "# ~~~\n";
  ExpectComplete("~~~~python\n" + code + "~~~\n~~~~\n", "answer.py",
                 code + "~~~\n");
}

TEST(Extract, IndentedFenceOfAList) {
  ExpectComplete(
      "1. Do:\n   ```python\n   class ModelNew:\n       pass\n"
      "   ```\n",
      "answer.py", "class ModelNew:\n    pass\n");
}

TEST(Extract, FenceWithinAPythonStringIsText) {
  const std::string code =
      "NOTE = \"\"\"\n```\nexample\n```\n\"\"\"\n" + kPython;
  ExpectComplete(Fenced("python", code) + "Done.", "answer.py", code);
}

TEST(Extract, UnbalancedQuotesDoNotHideTheEnd) {
  const std::string code = kPython + "x = \"\"\"oops\n";
  ExpectComplete(Fenced("python", code) + "Done.", "answer.py", code);
}

TEST(Extract, BlockNestedInMarkdown) {
  ExpectComplete("```markdown\n# Answer\n" + Fenced("python", kPython) + "```",
                 "answer.py", kPython);
}

TEST(Extract, ForgottenFenceBeforeTheNextBlock) {
  ExpectComplete("```python\nx = 1\n" + Fenced("cuda", kCuda), "answer.cu",
                 kCuda);
}

TEST(Extract, WholeAnswerIsCode) {
  ExpectComplete(kPython, "answer.py", kPython);
  ExpectComplete(kCuda, "answer.cu", kCuda);
}

TEST(Extract, FilesBeginInManyWays) {
  for (const std::string start :
       {"try:\n    import triton\nexcept ImportError:\n    pass\n",
        "r\"\"\"A file.\"\"\"\n", "__all__ = ['ModelNew']\n"})
    ExpectComplete(start + kPython, "answer.py", start + kPython);
  const std::string inlined = "inline int twice(int x) { return 2 * x; }\n";
  ExpectComplete(inlined + kCuda, "answer.cu", inlined + kCuda);
}

TEST(Extract, ExampleInAFencedCommentIsOfTheFile) {
  const std::string file =
      "\"\"\"Usage:\n\n```python\nModelNew()(x)\n```\n\"\"\"\n" + kPython;
  ExpectComplete(file, "answer.py", file);
}

TEST(Extract, ClassMayGetItsNameLater) {
  const std::string source = "class Fused:\n    pass\n\n\nModelNew = Fused\n";
  ExpectComplete("```python\n" + source + "```\n", "answer.py", source);
  const Extracted compared =
      ExtractCode("```python\nModelNew == 3\n```\n", llm::Finish::kStop);
  EXPECT_EQ(compared.status, GenerationStatus::kNoCode);
}

TEST(Extract, WhatFollowsACandidateDoesNotReplaceIt) {
  const std::string block = "```python\n" + kPython + "```\n";
  for (const std::string after :
       {"```text\nModel    = 3.2 ms\nModelNew = 1.1 ms\n```\n",
        "```python\nModelNew = torch.compile(ModelNew())\n```\n",
        "```python\nModelNew = answer.ModelNew\n```\n"})
    ExpectComplete(block + after, "answer.py", kPython);
}

TEST(Extract, ProseThatNamesTheClassIsNoFile) {
  const Extracted found =
      ExtractCode("# Plan\n```text\na -> b\n```\nclass ModelNew would do so.\n",
                  llm::Finish::kStop);
  EXPECT_EQ(found.status, GenerationStatus::kNoCode);
}

TEST(Extract, CudaUnderAnotherLabelIsCuda) {
  const std::string entry =
      "int kb_forward(const kb_call* call) {\n  return 0;\n}\n";
  for (const std::string start :
       {"#include <thrust/transform.h>\n", "cudaStream_t stream;\n",
        "__device__ int one() { return 1; }\n"})
    ExpectComplete("```cpp\n" + start + entry + "```\n", "answer.cu",
                   start + entry);
  const std::string neither = "#define __device__\n" + entry;
  ExpectComplete("```cpp\n" + neither + "```\n", "answer.cpp", neither);
}

TEST(Extract, ThoughtWhoseBlockNeverClosesHidesNoAnswer) {
  ExpectComplete("Try ```\n```\nx = 1\nSo, done.</think>Answer:\n```\n" +
                     kPython + "```\n",
                 "answer.py", kPython);
}

TEST(Extract, ProseWithoutFencesIsNotCode) {
  const Extracted found = ExtractCode(
      "You could write class ModelNew yourself.", llm::Finish::kStop);
  EXPECT_EQ(found.status, GenerationStatus::kNoCode);
  EXPECT_EQ(found.reason, "the answer has no code block");
}

TEST(Extract, AnswerThatEndsInItsBlockIsTruncated) {
  const Extracted found = ExtractCode("So:\n```python\n" + kPython + "    def",
                                      llm::Finish::kLength);
  EXPECT_EQ(found.status, GenerationStatus::kTruncated);
  EXPECT_NE(found.reason.find("token limit"), std::string::npos);
  EXPECT_EQ(found.file_name, "answer.py");
  EXPECT_EQ(found.source, kPython + "    def\n");
}

TEST(Extract, CompleteCandidateBeforeATruncatedOneCounts) {
  ExpectComplete(Fenced("python", kPython) + "Better:\n```python\nimport t",
                 "answer.py", kPython, llm::Finish::kLength);
}

TEST(Extract, WholeCodeAtTheTokenLimitIsTruncated) {
  EXPECT_EQ(ExtractCode("import torch\nclass Mod", llm::Finish::kLength).status,
            GenerationStatus::kTruncated);
}

TEST(Extract, BlocksWithoutAnEntryPointAreNoCode) {
  const Extracted found = ExtractCode(
      Fenced("python", "class Model:\n  pass\n"), llm::Finish::kStop);
  EXPECT_EQ(found.status, GenerationStatus::kNoCode);
  EXPECT_NE(found.reason.find("ModelNew"), std::string::npos);
  EXPECT_EQ(found.source, "");
}

TEST(Extract, EmptyAndRefused) {
  EXPECT_EQ(ExtractCode("", llm::Finish::kStop).reason, "the answer is empty");
  EXPECT_EQ(ExtractCode("I cannot.", llm::Finish::kRefused).status,
            GenerationStatus::kRefused);
  ExpectComplete(Fenced("python", kPython), "answer.py", kPython,
                 llm::Finish::kRefused);
}

TEST(Extract, InlineBackticksAreNoFence) {
  ExpectComplete("```class ModelNew``` is wanted.\n" + Fenced("", kPython),
                 "answer.py", kPython);
}

// Two megabytes of `piece`: time that grows with the square of the length would
// be hours, and CTest would end the test.
std::string Much(const std::string& piece) {
  std::string all;
  while (all.size() < 2000000) all += piece;
  return all;
}

void ExpectRead(const std::string& answer) {
  const Extracted found = ExtractCode(answer, llm::Finish::kStop);
  EXPECT_EQ(found.status, GenerationStatus::kNoCode) << found.reason;
}

TEST(Extract, FencesInAStringThatNeverEndsTakeTimeByTheirLength) {
  ExpectRead(std::string("```python\nx = '''\n") + Much("```\n") + "```\n");
}

TEST(Extract, BlocksWhoseStringsNeverEndTakeTimeByTheirLength) {
  ExpectRead(Much("```\n\\'''\n```\n"));
}

TEST(Extract, ThoughtsTakeTimeByTheirLength) {
  ExpectRead(Much("<think></think>\n"));
  ExpectRead(std::string("x") + Much("<think>"));
  ExpectRead("```\n" + Much("x </think>\n") + "```\n");
  ExpectRead("```\n" + Much("x </think>") + "\n```\n");
}

TEST(Extract, EntriesWithoutABodyTakeTimeByTheirLength) {
  ExpectRead(std::string("```\n") + Much("kb_forward(") + "\n```\n");
  ExpectRead(std::string("```\n") + Much("kb_forward(") + ")" + Much("\n") +
             "```\n");
  ExpectRead(std::string("```\n") + Much("kb_forward() -> int ") + "\n```\n");
}

TEST(Extract, SomeBlocksWithUnbalancedQuotesDoNotHideAString) {
  const std::string code =
      "NOTE = \"\"\"\n```\nexample\n```\n\"\"\"\n" + kPython;
  std::string drafts;
  for (int i = 0; i < 5; ++i) drafts += Fenced("python", "x = \\'''oops\n");
  ExpectComplete(drafts + Fenced("python", code) + "Done.", "answer.py", code);
}

TEST(Extract, AnyBytesAreTaken) {
  std::string bytes;
  for (int i = 0; i < 1024; ++i) bytes += static_cast<char>((i * 7) % 256);
  for (const char* piece : {"```", "<think>", "\"\"\"", "\\", "\r"}) {
    bytes += piece;
    static_cast<void>(ExtractCode(bytes, llm::Finish::kStop));
  }
}

}  // namespace
}  // namespace kb::prompt
