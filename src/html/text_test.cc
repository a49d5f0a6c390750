#include "html/text.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <string_view>
#include <utility>

#include "html/base64.h"
#include "html/facts.h"
#include "html/format.h"
#include "html/highlight.h"

namespace kb::html {
namespace {

bool Has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

constexpr const char* kCudaSource = R"cuda(#include <vector>
// One block per row. </script>
__global__ void Row(const float* __restrict__ x, float* y, int n) {
  /* Two passes: the maximum
     and then the sum. */
  if (threadIdx.x == 0) printf("row %d \"max\" %f\n", blockIdx.x, x['\'']);
}
)cuda";

constexpr const char* kPythonSource = R"py("""A fused GELU
in Triton."""
@triton.jit
def gelu(x, y, n, BLOCK: tl.constexpr):
    # tanh form, as PyTorch's approximate='tanh'
    return launch(gelu, x, rf"grid {x.numel()} & 'more'")
)py";

// The text of an HTML fragment, as a reader gets it.
std::string TextOf(const std::string& html) {
  std::string text;
  bool tag = false;
  for (const char c : html) {
    if (c == '<') tag = true;
    if (!tag) text += c;
    if (c == '>') tag = false;
  }
  for (const auto& [entity, plain] :
       {std::pair("&lt;", "<"), std::pair("&gt;", ">"),
        std::pair("&quot;", "\""), std::pair("&#39;", "'"),
        std::pair("&amp;", "&")})
    for (size_t at = text.find(entity); at != std::string::npos;
         at = text.find(entity, at + 1))
      text.replace(at, std::string_view(entity).size(), plain);
  return text;
}

TEST(Highlight, ColoursChangeNoCharacter) {
  for (const std::string& source :
       {std::string(kCudaSource), std::string(kPythonSource),
        std::string("\"\\"), std::string("/* open"),
        std::string("R\"x(never closed"), std::string("'"), std::string("rb'"),
        std::string("#"), std::string("a &amp; b &lt;")})
    for (const Language language : {Language::kCpp, Language::kPython}) {
      const std::string with_end =
          source.ends_with('\n') ? source : source + "\n";
      EXPECT_EQ(TextOf(HighlightHtml(source, language)), with_end);
    }
}

TEST(Highlight, KnowsTheWordsOfEachLanguage) {
  const std::string cpp =
      HighlightHtml("#include <x>\nint a = 1'024; // c\nauto s = \"x\\\"y\";",
                    Language::kCpp);
  EXPECT_TRUE(Has(cpp, "<span class=\"p\">#include </span>"));
  EXPECT_TRUE(Has(cpp, "<span class=\"k\">int</span>"));
  EXPECT_TRUE(Has(cpp, "<span class=\"n\">1&#39;024</span>"));
  EXPECT_TRUE(Has(cpp, "<span class=\"c\">// c</span>"));
  EXPECT_TRUE(Has(cpp, "<span class=\"s\">&quot;x\\&quot;y&quot;</span>"));
  const std::string python = HighlightHtml(
      "@jit\ndef f():  # c\n  return f'x' \"\"\"a\nb\"\"\"", Language::kPython);
  EXPECT_TRUE(Has(python, "<span class=\"p\">@jit</span>"));
  EXPECT_TRUE(Has(python, "<span class=\"k\">def</span>"));
  EXPECT_TRUE(Has(python, "<span class=\"c\"># c</span>"));
  EXPECT_TRUE(Has(python, "<span class=\"s\">f&#39;x&#39;</span>"));
  EXPECT_TRUE(Has(python, "<span class=\"s\">b&quot;&quot;&quot;</span>"));
}

TEST(Format, TimesHaveThreeDigitsAndAUnit) {
  EXPECT_EQ(FormatTime(0), "0.000 us");
  EXPECT_EQ(FormatTime(0.1234), "0.123 us");
  EXPECT_EQ(FormatTime(1.2345), "1.23 us");
  EXPECT_EQ(FormatTime(12.345), "12.3 us");
  EXPECT_EQ(FormatTime(123.45), "123 us");
  EXPECT_EQ(FormatTime(999.4), "999 us");
  EXPECT_EQ(FormatTime(999.6), "1.00 ms");
  EXPECT_EQ(FormatTime(12345), "12.3 ms");
  EXPECT_EQ(FormatTime(2.5e6), "2.50 s");
  EXPECT_EQ(FormatTime(-1.5), "-1.50 us");
  EXPECT_EQ(FormatTime(std::nan("")), "?");
}

TEST(Format, SpeedupsShowTheirInterval) {
  EXPECT_EQ(FormatSpeedup({1.834, 1.802, 1.859}), "1.83x [1.80, 1.86]");
  EXPECT_EQ(FormatSpeedup({0.2293, 0.2256, 0.2331}), "0.229x [0.226, 0.233]");
  EXPECT_EQ(FormatRatio(0.0123), "0.012x");
  EXPECT_EQ(FormatRatio(12.34), "12.3x");
  EXPECT_EQ(FormatRatio(1234), "1234x");
  EXPECT_EQ(FormatCount(1234567), "1,234,567");
  EXPECT_EQ(FormatCount(-123), "-123");
}

TEST(Text, CutsAtCharactersNotBytes) {
  EXPECT_EQ(CutToColumns("\u00e9\u00e9\u00e9", 3), "\u00e9\u00e9\u00e9");
  EXPECT_EQ(CutToColumns("\u00e9\u00e9\u00e9", 2), "\u00e9\u2026");
  EXPECT_EQ(CutToColumns("abc", 0), "");
}

TEST(Text, OverlongAndSurrogateBytesAreShownAsBytes) {
  EXPECT_EQ(Visible("\xc0\x80"), "<\\xc0><\\x80>");
  EXPECT_EQ(Visible("\xed\xa0\x80"), "<\\xed><\\xa0><\\x80>");
  EXPECT_EQ(Visible("\xe2\x82"), "<\\xe2><\\x82>");
  EXPECT_EQ(Visible("a\r\nb\rc"), "a\nb<U+000D>c");
}

TEST(Base64, HasTheUsualTestVectors) {
  EXPECT_EQ(Base64(""), "");
  EXPECT_EQ(Base64("f"), "Zg==");
  EXPECT_EQ(Base64("fo"), "Zm8=");
  EXPECT_EQ(Base64("foobar"), "Zm9vYmFy");
}

std::string TextOf(const FactList& facts) {
  std::string text;
  for (const auto& [name, value] : facts) text += name + ": " + value + "\n";
  return text;
}

TEST(RulerFacts, SayHowItWasMeasured) {
  record::Ruler ruler;
  ruler.calls = 8;
  ruler.constant_us = 148.46;
  ruler.disturbed = 3;
  const std::string usual = TextOf(RulerFacts(ruler));
  for (const char* part :
       {"Calls of a chain: 8\n", "Launches: hidden", "not copied",
        "Caches: cold", "Reading without a call: 148.5 \u00b5s",
        "Processes of each side: 1\n", "thrown away: 3\n"})
    EXPECT_TRUE(Has(usual, part)) << part << "\n" << usual;
  EXPECT_FALSE(Has(usual, "Floor"));
  EXPECT_FALSE(Has(usual, "reached"));
  EXPECT_TRUE(RulerRemarks(ruler).empty());

  ruler.calls = 1;
  ruler.gated = false;
  ruler.reference_launches = record::Launches::kCaptured;
  ruler.candidate_launches = record::Launches::kPartlyHidden;
  ruler.copied = ruler.warm = true;
  ruler.copy_us = 2.25;
  ruler.floor_us = 1.5;
  ruler.alone_us = 2;
  ruler.alone_share = 0.015;
  ruler.control_us = 1230;
  ruler.first_us = 91000;
  ruler.tf32 = "cudnn";
  ruler.ceilings = {4054.4, 52, 400, 750, 790};
  const std::string unusual = TextOf(RulerFacts(ruler));
  for (const char* part :
       {"so long that none is needed", "Launches: hidden as far as they fit",
        "of the reference captured in a CUDA graph",
        "copied within the measured time, on both sides", "Caches: warm",
        "Copy of one call's outputs: 2.25 \u00b5s",
        "A call alone may take longer by: 2.00 \u00b5s and 1.5 %",
        "PyTorch when the candidate had gone: 1.23 ms",
        "one-off work included: 91.0 ms", "TF32: cudnn\n",
        "Floor: no honest call is shorter: 1.50 \u00b5s",
        "What the device reached: 4054 GB/s copied; TFLOP/s in fp32 52, ",
        "fp32 52, TF32 400, fp16 750, bf16 790"})
    EXPECT_TRUE(Has(unusual, part)) << part << "\n" << unusual;
  EXPECT_EQ(RulerRemarks(ruler).size(), 3u);
}

TEST(RulerFacts, FirstRulerIsNamedAndNoMore) {
  const record::Ruler ruler{.version = 1};
  EXPECT_TRUE(RulerFacts(ruler).empty());
  EXPECT_TRUE(Has(RulerSummary(ruler), "not comparable with today's"));
  EXPECT_EQ(RulerRemarks(ruler).size(), 1u);
}

}  // namespace
}  // namespace kb::html
