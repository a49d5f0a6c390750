#include "source_check/static_check.h"

#include <gtest/gtest.h>

#include "source_check/classify.h"

namespace kb::source_check {
namespace {

std::vector<Finding> Checked(const std::string& path, const std::string& source,
                             bool allow_torch_ops = true) {
  record::Policy policy;
  policy.allow_torch_ops = allow_torch_ops;
  return Check(*Classify(path, source), policy);
}

std::vector<std::string> Rejections(const std::string& path,
                                    const std::string& source,
                                    bool allow_torch_ops = true) {
  std::vector<std::string> rules;
  for (const Finding& finding : Checked(path, source, allow_torch_ops))
    if (finding.severity == Severity::kReject) rules.push_back(finding.rule);
  return rules;
}

bool Notes(const std::string& path, const std::string& source,
           const std::string& rule) {
  for (const Finding& finding : Checked(path, source))
    if (finding.rule == rule) return finding.severity == Severity::kNote;
  return false;
}

const std::vector<std::string> kNothing;
const std::vector<std::string> kUnreadable{"unreadable"};
const std::vector<std::string> kTorchOp{"torch_op"};

// A candidate whose forward is `body`.
std::string Forward(const std::string& body) {
  return "import torch\nimport torch.nn as nn\n"
         "import torch.nn.functional as F\n\n\n"
         "class ModelNew(nn.Module):\n"
         "    def __init__(self):\n"
         "        super().__init__()\n"
         "        self.weight = nn.Parameter(torch.ones(3))\n"
         "        self.linear = nn.Linear(3, 3)\n"
         "        self.packed = torch.matmul(self.weight, self.weight)\n\n"
         "    def forward(self, x):\n"
         "        " +
         body + "\n";
}

TEST(StaticCheck, WhatIsNotSourceTextIsRejected) {
  EXPECT_EQ(Rejections("k.cu", " \n\t\n"), kUnreadable);
  EXPECT_EQ(Rejections("k.cu", std::string("int x;\0", 7)), kUnreadable);
  EXPECT_EQ(Rejections("k.py", "x = '\xff'"), kUnreadable);
  EXPECT_EQ(Rejections("k.py", std::string((1 << 20) + 1, '#')), kUnreadable);
  EXPECT_EQ(Rejections("k.py", std::string(1 << 20, '#')), kNothing);
}

TEST(StaticCheck, OnlyWhatIsAssignedToIsReplaced) {
  for (const char* replaces :
       {"torch.relu = fast", "x = 1; torch.nn.functional.gelu = fast"})
    EXPECT_TRUE(Notes("k.py", Forward(replaces), "patch")) << replaces;
  for (const char* honest :
       {"y: torch.Tensor = x", "f = lambda a, b=torch.relu: b(a)"})
    EXPECT_FALSE(Notes("k.py", Forward(honest), "patch")) << honest;
  EXPECT_TRUE(Notes("k.py", Forward("torch.cuda.Event = Mine"), "clock"));
  EXPECT_TRUE(Notes("k.py", Forward("timer.elapsed_time = mine"), "clock"));
}

TEST(StaticCheck, ModelsAreEvaluatedWithoutRunningCode) {
  EXPECT_FALSE(Notes("k.py", Forward("self.linear.eval()"), "dynamic_code"));
  EXPECT_TRUE(Notes("k.py", Forward("return eval(\"x\")"), "dynamic_code"));
}

TEST(StaticCheck, MissingModelNewIsLeftToLoading) {
  EXPECT_EQ(Rejections("k.py", "x = 1\n", false), kNothing);
  EXPECT_EQ(Rejections("k.cpp", "int x;\n", false), kNothing);
}

TEST(StaticCheck, TorchOpsAreAllowedUnlessThePolicySaysNo) {
  const std::string source = Forward("return F.relu(x)");
  EXPECT_EQ(Rejections("k.py", source, true), kNothing);
  EXPECT_EQ(Rejections("k.py", source, false), kTorchOp);
}

TEST(StaticCheck, TorchOpIsNamedWithItsLine) {
  const auto findings = Checked("k.py", Forward("return F.relu(x)"), false);
  ASSERT_FALSE(findings.empty());
  EXPECT_EQ(findings[0].line, 14);
  EXPECT_NE(findings[0].message.find("F.relu"), std::string::npos);
}

TEST(StaticCheck, EveryWayToCallATorchOpIsSeen) {
  for (const char* body :
       {"return torch.matmul(x, x)", "return torch.nn.functional.gelu(x)",
        "return F . softmax(x, -1)", "return torch.ops.aten.relu(x)",
        "return self.linear(x)", "return super().forward(x)", "return x @ x",
        "return x.clamp(min=0)", "x.relu_(); return x"})
    EXPECT_EQ(Rejections("k.py", Forward(body), false), kTorchOp) << body;
}

TEST(StaticCheck, AnotherNameForATorchOpIsSeen) {
  for (const char* name :
       {"op = torch.relu\n", "op = torch.nn.functional.relu\n", "op = F.relu\n",
        "from torch import zeros, relu as op\n",
        "from torch.nn.functional import relu as op\n",
        "from torch.nn.functional import (\n    gelu,\n    op,\n)\n"})
    EXPECT_EQ(Rejections("k.py", name + Forward("return op(x)"), false),
              kTorchOp)
        << name;
  EXPECT_EQ(
      Rejections("k.py",
                 "op = lambda x: torch.relu(x)\n" + Forward("return op(x)"),
                 false),
      kTorchOp);
  for (const char* name : {"op = torch.empty_like\n", "op = torch.relu(y)\n",
                           "from torch import empty_like as op\n"})
    EXPECT_EQ(Rejections("k.py", name + Forward("return op(x)"), false),
              kNothing)
        << name;
}

// Whose layers may have the names of the candidate's methods.
TEST(StaticCheck, PastedReferenceHasNoPart) {
  const std::string reference =
      "class Model(nn.Module):\n"
      "    def __init__(self):\n"
      "        self.act = nn.ReLU()\n"
      "    def forward(self, x):\n"
      "        return self.act(x)\n";
  EXPECT_EQ(
      Rejections("k.py", reference + Forward("return self.act(x)"), false),
      kNothing);
}

// Its x is a tensor of Triton, whatever forward calls its own.
TEST(StaticCheck, KernelsOfTritonComputeWithoutTorch) {
  const std::string kernel =
      "import torch\nimport triton\n"
      "@triton.jit\n"
      "@other(\n    1,\n)\n"
      "def kernel(\n    p, n: tl.constexpr\n):\n"
      "    x = tl.load(p)\n"
      "    tl.store(p, (x + x.abs()).sum(0))\n";
  EXPECT_EQ(Rejections("k.py", kernel + Forward("return x"), false), kNothing);
  EXPECT_EQ(Rejections("k.py", kernel + Forward("return x.abs()"), false),
            kTorchOp);
  // A decorator is no proof that Triton compiles what it is on.
  EXPECT_EQ(Rejections("k.py",
                       "@triton.jit\ndef helper(a):\n"
                       "    return torch.mm(a, a)\n" +
                           Forward("return helper.fn(x)"),
                       false),
            kTorchOp);
  EXPECT_EQ(
      Rejections("k.py", kernel + "def helper(x):\n    return torch.mm(x, x)\n",
                 false),
      kTorchOp);
}

TEST(StaticCheck, ParametersOfForwardAreItsOwn) {
  EXPECT_EQ(Rejections("k.py",
                       Forward("return run(x)") +
                           "\ndef grid(x):\n    return x.max(1)\n",
                       false),
            kNothing);
}

TEST(StaticCheck, SignaturesMayHaveSeveralLines) {
  const std::string source =
      "import torch\n"
      "class ModelNew(torch.nn.Module):\n"
      "    def __init__(\n        self,\n    ):\n"
      "        self.packed = torch.exp(torch.ones(3))\n"
      "    def forward(\n        self, x\n    ):\n";
  EXPECT_EQ(Rejections("k.py", source + "        return x\n", false), kNothing);
  EXPECT_EQ(Rejections("k.py", source + "        return x.exp()\n", false),
            kTorchOp);
}

TEST(StaticCheck, HelperFunctionsCountAsForward) {
  EXPECT_EQ(Rejections("k.py",
                       "import torch\ndef helper(x):\n    return torch.mm(x)\n",
                       false),
            kTorchOp);
}

TEST(StaticCheck, WrappedReferenceIsATorchOp) {
  EXPECT_EQ(Rejections("k.py",
                       "class ModelNew(nn.Module):\n"
                       "    def __init__(self):\n"
                       "        self.inner = Model()\n"
                       "    def forward(self, x):\n"
                       "        return self.inner(x)\n",
                       false),
            kTorchOp);
}

TEST(StaticCheck, WhereWhatRunsDecidesTorchOpsAreNotes) {
  const auto found =
      Check(*Classify("k.py", Forward("return torch.softmax(x, 1)")),
            *record::NamedPolicy("own-kernels"));
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].rule, "torch_op");
  EXPECT_EQ(found[0].severity, Severity::kNote);
  EXPECT_GT(found[0].line, 0);
  EXPECT_EQ(found[0].message, "torch.softmax computes with PyTorch");
}

TEST(StaticCheck, AllocationViewsAndOwnKernelsAreNoTorchOps) {
  for (const char* body :
       {"return torch.empty_like(x)", "return x.view(-1).contiguous()",
        "return extension.relu(x)", "return self.weight(x)",
        "y = torch.zeros(3); kernel[(1,)](x, y); return y",
        "return 'torch.relu(x)'  # F.relu(x)", "return tl.sum(x)",
        "y = extension.x.sum(1)", "return module.F.relu(x)"})
    EXPECT_EQ(Rejections("k.py", Forward(body), false), kNothing) << body;
}

TEST(StaticCheck, WhatRunsAtImportIsNotForward) {
  EXPECT_EQ(
      Rejections("k.py", "import torch\nw = torch.exp(torch.ones(3))\n", false),
      kNothing);
}

TEST(StaticCheck, DecoratorsAreNoMatrixProducts) {
  EXPECT_EQ(Rejections("k.py",
                       "class A:\n    @staticmethod\n    def f(x):\n"
                       "        return x\n",
                       false),
            kNothing);
}

TEST(StaticCheck, ReferenceCopyAndInputsMayComputeWithTorch) {
  EXPECT_EQ(Rejections("k.py",
                       "import torch\n"
                       "class Model(torch.nn.Module):\n"
                       "    def forward(self, x):\n"
                       "        return torch.softmax(x, 1)\n\n"
                       "def get_inputs():\n"
                       "    return [torch.exp(torch.rand(3))]\n"
                       "if __name__ == '__main__':\n"
                       "    print(torch.sum(Model()(*get_inputs())))\n",
                       false),
            kNothing);
}

// Honest techniques that simpler checkers forbid (threat model, section 7).
TEST(StaticCheck, HonestTechniquesAreNeverRejected) {
  for (const char* body :
       {"g = torch.cuda.CUDAGraph(); g.replay()", "s = torch.cuda.Stream()",
        "self.cache[x.data_ptr()] = x", "pass", "y = x.half()",
        "threading.Thread(target=f).start()", "return x[x.shape[0] - 4096:]",
        "torch.backends.cuda.matmul.allow_tf32 = True",
        "os.environ['TRITON_CACHE_DIR']", "ctypes.CDLL('libcuda.so.1')"})
    EXPECT_EQ(Rejections("k.py", Forward(body), false), kNothing) << body;
  EXPECT_EQ(Rejections("k.py",
                       "try:\n    import triton\nexcept ImportError:\n"
                       "    pass\n"),
            kNothing);
  EXPECT_EQ(Rejections("k.cu",
                       "cudaEventCreateWithFlags(&e, "
                       "cudaEventDisableTiming); dlopen(\"x\", 0);"),
            kNothing);
}

TEST(StaticCheck, SuspiciousThingsAreNoted) {
  EXPECT_TRUE(Notes("k.py", Forward("s = torch.cuda.Stream()"), "stream"));
  EXPECT_TRUE(Notes("k.py", "import threading\n", "thread"));
  EXPECT_TRUE(Notes("k.py", "import ctypes\n", "dynamic_code"));
  EXPECT_TRUE(Notes("k.py", "torch.cuda.Event = Fake\n", "clock"));
  EXPECT_TRUE(Notes("k.py", "e.elapsed_time = lambda e: 1e-3\n", "clock"));
  EXPECT_TRUE(
      Notes("k.py", "try:\n    f()\nexcept Exception:\n    g()\n", "fallback"));
  EXPECT_TRUE(Notes("k.py", "os.environ.get('X')\n", "environment"));
  EXPECT_TRUE(
      Notes("k.py", "class T(torch.Tensor): pass\n", "tensor_subclass"));
  EXPECT_TRUE(Notes("k.cpp", "std::thread t(f);\n", "thread"));
  EXPECT_TRUE(Notes("k.cu", "__half h;\n", "precision"));
}

TEST(StaticCheck, WordsAndComparisonsAreNotNoted) {
  EXPECT_TRUE(Checked("k.py",
                      "# import threading\ns = 'import ctypes'\n"
                      "ok = torch.cuda.Event == Fake\n")
                  .empty());
  EXPECT_TRUE(Checked("k.cu", "// getenv(\nint half_width = 3;\n").empty());
}

TEST(StaticCheck, OneFindingPerRuleAtItsFirstLine) {
  const auto findings =
      Checked("k.py", "x = 1\nimport threading\nimport threading\n");
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].line, 2);
}

}  // namespace
}  // namespace kb::source_check
