#include "prompt/prompt.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>

#include "expect_golden.h"
#include "os/files.h"

namespace kb::prompt {
namespace {

const std::string kFolder = std::string(KB_SOURCE_DIR) + "/share/prompts";

PromptOptions Options(const std::string& prompt, const std::string& backend) {
  PromptOptions options;
  options.folder = kFolder;
  options.prompt = prompt;
  options.backend = backend;
  return options;
}

record::Problem Relu() {
  record::Problem problem;
  problem.id = "level1/19";
  problem.name = "ReLU";
  problem.source =
      "import torch\n\n\nclass Model(torch.nn.Module):\n"
      "    \"\"\"{{rules}} {{#examples}} {{{x}}}\"\"\"\n\n"
      "    def forward(self, x):\n        return torch.relu(x)\n";
  return problem;
}

// What Create refuses, as a person reads it.
std::string Refusal(const PromptOptions& options) {
  const auto writer = Writer::Create(options);
  if (writer) return "accepted";
  EXPECT_EQ(writer.error().kind(), base::Error::Kind::kUsage);
  return writer.error().message();
}

Prompt Written(const PromptOptions& options) {
  const auto writer = Writer::Create(options);
  EXPECT_TRUE(writer) << writer.error().message();
  if (!writer) return {};
  auto prompt = writer->Write(Relu());
  EXPECT_TRUE(prompt) << prompt.error().message();
  return std::move(prompt).value_or(Prompt{});
}

void ExpectGolden(const std::string& name, const Prompt& prompt) {
  kb::ExpectGolden(
      fmt::format("=== system\n{}\n=== user\n{}\n=== file\n{}\n", prompt.system,
                  prompt.user, prompt.file_name),
      fmt::format("{}/tests/golden/prompt/{}.txt", KB_SOURCE_DIR, name));
}

// A prompt file of a user.
class OwnFile {
 public:
  explicit OwnFile(const std::string& text)
      : folder_(*os::TempDir::Create()), path_(folder_.path() + "/mine.toml") {
    std::ofstream(path_) << text;
  }
  PromptOptions Options() const { return prompt::Options(path_, "triton"); }
  std::string Refusal() const { return prompt::Refusal(Options()); }
  // Without the folder, whose name is new every time.
  std::string ShortRefusal() const {
    const std::string refusal = Refusal();
    const size_t at = refusal.find("mine.toml");
    return at == std::string::npos ? refusal : refusal.substr(at);
  }

 private:
  os::TempDir folder_;
  std::string path_;
};

std::string Own(const std::string& system, const std::string& user) {
  return fmt::format(
      "description = \"mine\"\nexamples = 2\nsystem = '''\n{}\n'''\n"
      "user = '''\n{}\n'''\n",
      system, user);
}

void ExpectContains(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << part << "\nis not in\n"
                                                << text;
}

TEST(Golden, ZeroShotForCudaOnAnH100) {
  PromptOptions options = Options("zero-shot", "cuda");
  options.hardware = "H100";
  ExpectGolden("zero_shot_cuda_h100", Written(options));
}

TEST(Golden, OneShotForTriton) {
  ExpectGolden("one_shot_triton", Written(Options("one-shot", "triton")));
}

TEST(Golden, FewShotForCpp) {
  ExpectGolden("few_shot_cpp", Written(Options("few-shot", "cpp")));
}

TEST(Golden, FewShotForCuda) {
  ExpectGolden("few_shot_cuda", Written(Options("few-shot", "cuda")));
}

TEST(Golden, FewShotForCudaInline) {
  ExpectGolden("few_shot_cuda_inline",
               Written(Options("few-shot", "cuda-inline")));
}

TEST(Golden, BestPracticesForTritonOnAnH200UnderOwnKernels) {
  PromptOptions options = Options("best-practices", "triton");
  options.hardware = "H200";
  options.policy = *record::NamedPolicy("own-kernels");
  ExpectGolden("best_practices_triton_h200_own_kernels", Written(options));
}

TEST(Golden, OneShotForCudaInlineUnderStrict) {
  PromptOptions options = Options("one-shot", "cuda-inline");
  options.policy = *record::NamedPolicy("strict");
  ExpectGolden("one_shot_cuda_inline_strict", Written(options));
}

TEST(Golden, ChainOfThoughtForCudaInlineInBf16) {
  PromptOptions options = Options("chain-of-thought", "cuda-inline");
  options.precision = record::Precision::kBf16;
  options.hardware = "A100";
  ExpectGolden("chain_of_thought_cuda_inline_bf16", Written(options));
}

TEST(Writer, ShowsTheSourceThatRunsByteForByte) {
  const std::string source = Relu().source;
  const Prompt prompt = Written(Options("few-shot", "cuda"));
  ExpectContains(prompt.user, "```python\n" + source + "\n```");
}

TEST(Writer, KeepsTheSystemPartForAllProblemsOfARun) {
  const auto writer = Writer::Create(Options("few-shot", "cuda"));
  ASSERT_TRUE(writer);
  record::Problem other = Relu();
  other.id = "level1/20";
  other.source = "pass\n";
  EXPECT_EQ(writer->Write(Relu())->system, writer->Write(other)->system);
  EXPECT_NE(writer->Write(Relu())->user, writer->Write(other)->user);
}

TEST(Writer, RefusesAProblemWithoutSource) {
  const auto writer = Writer::Create(Options("zero-shot", "cuda"));
  ASSERT_TRUE(writer);
  record::Problem empty;
  empty.id = "level1/1";
  const auto prompt = writer->Write(empty);
  ASSERT_FALSE(prompt);
  ExpectContains(prompt.error().message(), "level1/1 has no source");
}

TEST(Writer, EveryCombinationIsRenderedCompletely) {
  const auto all = List(kFolder);
  ASSERT_TRUE(all) << all.error().message();
  record::Problem plain = Relu();
  plain.source = "pass\n";
  for (const std::string& prompt : all->prompts)
    for (const std::string& backend : all->backends)
      for (const auto precision :
           {record::Precision::kFp32, record::Precision::kFp16,
            record::Precision::kBf16}) {
        PromptOptions options = Options(prompt, backend);
        options.precision = precision;
        options.hardware = "L40S";
        const auto writer = Writer::Create(options);
        ASSERT_TRUE(writer) << writer.error().message();
        const auto text = writer->Write(plain);
        ASSERT_TRUE(text);
        SCOPED_TRACE(prompt + " " + backend);
        EXPECT_EQ((text->system + text->user).find("{{"), std::string::npos);
        EXPECT_EQ(text->system.find("\n\n\n\n"), std::string::npos);
        ExpectContains(text->user, text->file_name);
        ExpectContains(text->system, record::PrecisionName(precision));
      }
}

TEST(Writer, NamesTheToleranceOfTheDefaultPolicy) {
  PromptOptions options = Options("zero-shot", "triton");
  ExpectContains(Written(options).system, "0.0001 + 0.0001 * |expected|");
  options.precision = record::Precision::kFp16;
  ExpectContains(Written(options).system, "0.01 + 0.01 * |expected|");
}

// What the static check of the policy refuses is what the prompt forbids.
TEST(Writer, AsksForWhatThePolicyAllows) {
  const auto system = [](const char* backend, const char* policy) {
    PromptOptions options = Options("zero-shot", backend);
    options.policy = *record::NamedPolicy(policy);
    return Written(options).system;
  };
  const auto has = [](const std::string& text, const char* part) {
    return text.find(part) != std::string::npos;
  };
  for (const char* backend : {"triton", "cuda-inline", "cpp-inline", "cute"}) {
    SCOPED_TRACE(backend);
    for (const char* policy : {"kernelbench", "strict"}) {
      EXPECT_TRUE(has(system(backend, policy), "at whatever granularity"));
      EXPECT_FALSE(has(system(backend, policy), "must not be left to PyTorch"));
    }
    EXPECT_FALSE(has(system(backend, "own-kernels"), "granularity"));
    EXPECT_TRUE(
        has(system(backend, "own-kernels"), "must not be left to PyTorch"));
  }
  for (const char* policy : {"kernelbench", "own-kernels"})
    EXPECT_TRUE(has(system("cuda", policy), "operators cannot be\ncalled"));
  EXPECT_TRUE(has(system("cuda", "strict"), "at most 8 times"));
  EXPECT_TRUE(has(system("cuda", "strict"), "with outliers"));
  EXPECT_FALSE(has(system("cuda", "kernelbench"), "with outliers"));
}

TEST(Writer, NamesTheToleranceOfThePolicy) {
  PromptOptions options = Options("zero-shot", "triton");
  options.policy.tolerance = record::Tolerance{0.25, 0.25};
  ExpectContains(Written(options).system, "0.25 + 0.25 * |expected|");
  options.policy.tolerance = record::Tolerance{0.001, 0.1};
  ExpectContains(Written(options).system, "<= 0.001 + 0.1 * |expected|");
  options.precision = record::Precision::kAsGiven;
  options.policy.tolerance.reset();
  ExpectContains(Written(options).system,
                 "<= 0.01 + 0.01 * |expected|\nif an input or an output is "
                 "float16 or bfloat16, and <= 0.0001 + 0.0001 * |expected|");
}

void ExpectLacks(const std::string& text, const std::string& part) {
  EXPECT_EQ(text.find(part), std::string::npos) << part << "\nis in\n" << text;
}

TEST(Writer, SaysWhetherCachesAreCold) {
  PromptOptions options = Options("zero-shot", "triton");
  ExpectContains(Written(options).system, "Caches are cold");
  options.policy.warm = true;
  ExpectContains(Written(options).system, "Caches are warm");
  ExpectLacks(Written(options).system, "Caches are cold");
}

TEST(Writer, SaysWhatFloat32Means) {
  PromptOptions options = Options("zero-shot", "triton");
  for (const double multiple : {0.0, 8.0}) {
    options.policy.error_multiple = multiple;
    options.policy.precision = record::PrecisionRule::kAsReference;
    ExpectContains(Written(options).system, "its convolutions may use TF32");
    options.policy.precision = record::PrecisionRule::kIeee;
    const std::string without = Written(options).system;
    ExpectContains(without, "The reference uses no TF32");
    ExpectLacks(without, "may use TF32");
    ExpectLacks(without, "PyTorch with TF32");
    options.policy.precision = record::PrecisionRule::kTf32;
    const std::string with = Written(options).system;
    ExpectContains(with, "So may your own kernels");
    ExpectLacks(with, "are full float32");
  }
}

TEST(Writer, SaysOfTheOriginalWhatHoldsThere) {
  for (const char* backend : {"triton", "cuda-inline", "cpp-inline", "cute",
                              "cutlass", "thunderkittens", "tilelang"}) {
    SCOPED_TRACE(backend);
    PromptOptions options = Options("zero-shot", backend);
    const std::string ours = Written(options).system;
    ExpectContains(ours, "the reference's state_dict is loaded");
    ExpectContains(ours, "Every timed call is also checked");
    options.policy = *record::NamedPolicy("original");
    const std::string original = Written(options).system;
    ExpectContains(original, "None are loaded.");
    ExpectLacks(original, "state_dict");
    ExpectLacks(original, "Every timed call");
  }
}

TEST(Writer, SaysHowThisProblemIsJudged) {
  PromptOptions options = Options("zero-shot", "triton");
  options.policy = *record::NamedPolicy("strict");
  const auto writer = Writer::Create(options);
  ASSERT_TRUE(writer) << writer.error().message();
  const auto system = [&](const record::Problem& problem) {
    return writer->Write(problem)->system;
  };
  const std::string usual = system(Relu());
  ExpectContains(usual, "with outliers, and parameters that are all ones");
  ExpectContains(usual, "inputs with long tails");
  ExpectContains(usual, "at most 8 times");
  record::Problem as_given = Relu();
  as_given.inputs_as_given = true;
  ExpectLacks(system(as_given), "with outliers");
  ExpectLacks(system(as_given), "inputs with long tails");
  ExpectContains(system(as_given), "\nParameters that are all ones or zeros");
  record::Problem random = Relu();
  random.random_forward = true;
  ExpectLacks(system(random), "at most 8 times");
  ExpectContains(system(random), "<= 0.0001 + 0.0001 * |expected|");
  EXPECT_EQ(system(Relu()), usual);
}

TEST(Writer, EveryArchitectureHasItsPractices) {
  const auto all = List(kFolder);
  ASSERT_TRUE(all);
  const std::string without = Written(Options("best-practices", "cuda")).system;
  for (const std::string& hardware : all->hardware) {
    PromptOptions options = Options("best-practices", "cuda");
    options.hardware = hardware;
    const std::string with = Written(options).system;
    options.prompt = "one-shot";
    // More than the device's own block.
    EXPECT_GT(with.size() - without.size(),
              Written(options).system.size() -
                  Written(Options("one-shot", "cuda")).system.size() + 100)
        << hardware;
  }
}

TEST(Writer, SaysNothingOfHardwareThatIsNotGiven) {
  EXPECT_EQ(Written(Options("zero-shot", "cuda")).system.find("# The device"),
            std::string::npos);
}

TEST(List, HasWhatIsPromised) {
  const auto all = List(kFolder);
  ASSERT_TRUE(all);
  EXPECT_EQ(all->prompts,
            (std::vector<std::string>{"best-practices", "chain-of-thought",
                                      "few-shot", "one-shot", "zero-shot"}));
  EXPECT_EQ(all->backends,
            (std::vector<std::string>{"cpp", "cpp-inline", "cuda",
                                      "cuda-inline", "cute", "cutlass",
                                      "thunderkittens", "tilelang", "triton"}));
  EXPECT_EQ(all->hardware.front(), "T4");
}

TEST(List, OfAFolderThatIsNoneIsAnError) {
  const auto all = List("/nowhere/prompts");
  ASSERT_FALSE(all);
  ExpectContains(all.error().message(), "/nowhere/prompts");
}

TEST(Hardware, IsAlsoWhatTheDriverCallsIt) {
  PromptOptions options = Options("zero-shot", "cuda");
  options.hardware = "NVIDIA H200";
  const auto long_name = Writer::Create(options);
  options.hardware = "H200";
  const auto short_name = Writer::Create(options);
  ASSERT_TRUE(long_name && short_name);
  EXPECT_EQ(long_name->Write(Relu())->system,
            short_name->Write(Relu())->system);
  EXPECT_EQ(long_name->Write(Relu())->user, short_name->Write(Relu())->user);
}

TEST(Unknown, NamesAreAnsweredWithTheChoices) {
  EXPECT_EQ(Refusal(Options("two-shot", "cuda")),
            "no prompt is called \"two-shot\"; there are best-practices, "
            "chain-of-thought, few-shot, one-shot, zero-shot; or give a file "
            "that ends in .toml");
  EXPECT_EQ(Refusal(Options("zero-shot", "metal")),
            "no backend is called \"metal\"; there are cpp, cpp-inline, cuda, "
            "cuda-inline, cute, cutlass, thunderkittens, tilelang, triton");
  PromptOptions options = Options("zero-shot", "cuda");
  options.hardware = "TPU";
  ExpectContains(Refusal(options),
                 "no hardware is called \"TPU\"; there are T4, V100, A10G");
  // A name is no way out of the folder.
  ExpectContains(Refusal(Options("zero-shot", "../prompts/zero-shot")),
                 "no backend is called");
}

TEST(OwnPrompt, MayUseEveryVariable) {
  const OwnFile file(Own(
      "{{backend.name}} {{backend.file}} {{backend.fence}} {{precision.name}}\n"
      "{{#hardware}}\n{{hardware.name}}!\n{{/hardware}}\n"
      "{{^hardware}}\nno device\n{{/hardware}}\n"
      "{{#examples}}<{{example.number}}>{{/examples}}",
      "{{problem.id}} {{ problem.name }}: {{problem.source}}"));
  PromptOptions options = file.Options();
  EXPECT_EQ(Written(options).system,
            "Triton answer.py python fp32\nno device\n<1><2>");
  options.hardware = "T4";
  EXPECT_EQ(Written(options).system,
            "Triton answer.py python fp32\nT4!\n<1><2>");
  EXPECT_EQ(Written(options).user, "level1/19 ReLU: " + Relu().source + "\n");
}

TEST(OwnPrompt, UnknownVariablesAreNamedWithTheirLine) {
  const std::string user = "{{problem.source}}";
  EXPECT_EQ(
      OwnFile(Own("one\n{{backend.nmae}}", user)).ShortRefusal().substr(0, 50),
      "mine.toml:5: unknown variable {{backend.nmae}}; kn");
  ExpectContains(OwnFile(Own("{{problem.id}}", user)).ShortRefusal(),
                 "unknown variable {{problem.id}}");
  ExpectContains(OwnFile(Own("{{example.answer}}", user)).ShortRefusal(),
                 "unknown variable {{example.answer}}");
  ExpectContains(OwnFile(Own("{{{rules}}}", user)).ShortRefusal(),
                 "unknown variable {{{rules}}");
}

TEST(OwnPrompt, TagsMustBeClosed) {
  const std::string user = "{{problem.source}}";
  EXPECT_EQ(OwnFile(Own("{{#hardware}}", user)).ShortRefusal(),
            "mine.toml:4: {{#hardware}} is never closed");
  EXPECT_EQ(OwnFile(Own("{{#hardware}}{{/examples}}", user)).ShortRefusal(),
            "mine.toml:4: {{/examples}} closes nothing");
  EXPECT_EQ(OwnFile(Own("a {{rules", user)).ShortRefusal(),
            "mine.toml:4: {{ without }}");
}

TEST(OwnPrompt, MustShowTheProblem) {
  ExpectContains(OwnFile(Own("{{rules}}", "go")).ShortRefusal(),
                 "user must contain {{problem.source}}");
}

TEST(OwnPrompt, MistakesInTheFileAreNamedWithTheirLine) {
  EXPECT_EQ(OwnFile("description = 3\n").ShortRefusal(),
            "mine.toml:1: description must be text that is not empty");
  EXPECT_EQ(OwnFile("description = \"x\"\nexamples = -1\n").ShortRefusal(),
            "mine.toml:2: examples must be a whole number, 0 or more");
  ExpectContains(OwnFile("description = \"x\"\n").ShortRefusal(),
                 "\"examples\" is missing");
  ExpectContains(
      OwnFile("color = 1\n" + Own("a", "{{problem.source}}")).ShortRefusal(),
      "mine.toml:1: unknown key \"color\"; the keys are description");
  ExpectContains(OwnFile("= 1").ShortRefusal(), "mine.toml:1: not valid TOML");
  std::string key;
  for (int i = 0; i < 200000; ++i) key += "a.";
  ExpectContains(OwnFile("\n" + key + "a = 1\n").ShortRefusal(),
                 "mine.toml:2: a key has more than 64 parts");
  ExpectContains(Refusal(Options("/nowhere/mine.toml", "cuda")),
                 "/nowhere/mine.toml");
}

std::string For(const std::string& device) {
  return HardwareFor(kFolder, device).value_or("an error");
}

TEST(Hardware, IsFoundByTheDriversName) {
  EXPECT_EQ(For("Tesla T4"), "T4");
  EXPECT_EQ(For("Tesla V100-SXM2-16GB"), "V100");
  EXPECT_EQ(For("NVIDIA A10G"), "A10G");
  EXPECT_EQ(For("NVIDIA L4"), "L4");
  EXPECT_EQ(For("NVIDIA L40S"), "L40S");
  EXPECT_EQ(For("NVIDIA H200"), "H200");
  EXPECT_EQ(For("NVIDIA B200"), "B200");
  EXPECT_EQ(For("NVIDIA GeForce RTX 4090"), "RTX 4090");
  EXPECT_EQ(For("NVIDIA RTX PRO 6000 Blackwell Workstation Edition"),
            "RTX PRO 6000");
  EXPECT_EQ(For("AMD Instinct MI300X"), "MI300X");
}

TEST(Hardware, VariantsAreNotConfused) {
  EXPECT_EQ(For("NVIDIA H100 80GB HBM3"), "H100");
  EXPECT_EQ(For("NVIDIA H100 PCIe"), "H100 PCIe");
  EXPECT_EQ(For("NVIDIA A100-SXM4-80GB"), "A100");
  EXPECT_EQ(For("NVIDIA A100 80GB PCIe"), "A100 PCIe");
  EXPECT_EQ(For("NVIDIA A100-SXM4-40GB"), "A100 40GB");
  for (const char* other :
       {"NVIDIA H100 NVL", "NVIDIA H200 NVL", "NVIDIA GH200 480GB",
        "NVIDIA H100 80GB HBM3 MIG 1g.10gb", "NVIDIA L40", "NVIDIA A10",
        "NVIDIA GeForce RTX 4090 D", "NVIDIA GeForce RTX 4090 Laptop GPU",
        "NVIDIA GeForce RTX 3090 Ti", "NVIDIA GB200", "Tesla V100-SXM2-32GB",
        "NVIDIA RTX PRO 6000 Blackwell Server Edition", "cpu", ""})
    EXPECT_EQ(For(other), "") << other;
}

TEST(Hardware, FactsAreTheDataSheets) {
  const auto h100 = HardwareFacts(kFolder, "H100");
  ASSERT_TRUE(h100) << h100.error().message();
  EXPECT_EQ(h100->memory_gb, 80);
  EXPECT_EQ(h100->bandwidth_gbps, 3350);
  EXPECT_EQ(h100->fp32_tflops, 66.9);
  EXPECT_EQ(h100->tf32_tflops, 494.7);
  EXPECT_EQ(h100->fp16_tflops, 989.4);
  EXPECT_EQ(HardwareFacts(kFolder, "T4")->bf16_tflops, 0);
  EXPECT_FALSE(HardwareFacts(kFolder, "H1000"));
}

// fp32 is two operations per lane and clock; what does not fit is a typing
// error in one of the figures.
TEST(Hardware, FiguresOfAnEntryAgree) {
  const auto all = List(kFolder);
  ASSERT_TRUE(all);
  for (const std::string& name : all->hardware) {
    const auto facts = HardwareFacts(kFolder, name);
    ASSERT_TRUE(facts) << facts.error().message();
    SCOPED_TRACE(name);
    EXPECT_GT(facts->memory_gb, 0);
    EXPECT_GT(facts->bandwidth_gbps, 0);
    EXPECT_GT(facts->fp32_tflops, 0);
    EXPECT_GE(facts->fp16_tflops, facts->tf32_tflops);
    if (facts->bf16_tflops > 0) {
      EXPECT_EQ(facts->bf16_tflops, facts->fp16_tflops);
    }
    const double ratio = facts->fp16_tflops / facts->fp32_tflops;
    EXPECT_TRUE(ratio >= 1.9 && ratio < 31) << ratio;
  }
}

TEST(Hardware, WhatADeviceCannotDoIsNotShown) {
  PromptOptions options = Options("zero-shot", "cuda");
  options.hardware = "T4";
  const std::string system = Written(options).system;
  const std::string block = system.substr(system.find("# The device"));
  ExpectContains(block, "dense: fp32 8.1, fp16 65");
  EXPECT_EQ(block.find("bf16"), std::string::npos);
}

}  // namespace
}  // namespace kb::prompt
