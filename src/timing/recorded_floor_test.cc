// The floor against what PyTorch and our samples took on an H200: whoever makes
// it refuse an honest time finds out here.

#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <regex>
#include <sstream>

#include "base/json.h"
#include "problems/pack.h"
#include "timing/floor.h"

namespace kb::timing {
namespace {

using record::Size;

const std::string kSource = KB_SOURCE_DIR;
// What an H200 reaches.
const record::Ceilings kH200{4054, 52, 400, 750, 790};
constexpr double kCacheBytes = uint64_t{128} << 20;

struct Recorded {
  std::string problem;
  Size size = Size::kFull;
  std::string who;
  double micros = 0;
};

class RecordedFloorTest : public testing::Test {
 protected:
  void SetUp() override {
    auto pack = problems::Pack::Open(kSource + "/problems");
    ASSERT_TRUE(pack) << pack.error().message();
    pack_.emplace(std::move(*pack));
    ASSERT_TRUE(pack_->Issues().empty()) << pack_->Issues()[0].ToString();
    ReadEager("full", Size::kFull);
    ReadEager("small", Size::kSmall);
    ReadCompiled();
    ReadSamples();
  }

  // The record has no sizes of tensors but its floor, of that time, which was
  // that of the outputs at the bandwidth above.
  void ReadEager(const std::string& name, const Size& size) {
    std::ifstream file(kSource + "/results/aa_" + name + "_h200.jsonl");
    std::string line;
    while (std::getline(file, line)) {
      const auto json = base::ParseJson(line, name);
      ASSERT_TRUE(json);
      const std::string id = json->at("problem");
      times_.push_back(
          {id, size, "eager", json->at("reference_time_us").at("median")});
      outputs_[{id, size}] = json->at("ruler").at("floor_us").get<double>() *
                                 kH200.bandwidth_gbps * 1e3 +
                             kCacheBytes;
    }
  }

  // level1/1   2.707   2.804   0.974   2.941 ...: eager, compile, its speedup,
  // max-autotune or words. In milliseconds.
  void ReadCompiled() {
    std::ifstream file(kSource + "/results/h200_baselines.txt");
    std::string line;
    while (std::getline(file, line)) {
      std::istringstream words(line);
      std::string id;
      double eager = 0, compile = 0, speedup = 0, tuned = 0;
      words >> id >> eager >> compile >> speedup;
      if (!words || !id.starts_with("level")) continue;
      times_.push_back({id, Size::kFull, "compile", 1000 * compile});
      if (words >> tuned)
        times_.push_back({id, Size::kFull, "max-autotune", 1000 * tuned});
    }
  }

  // level1/23  zeros.py  torch  correct  ok  4.62x [4.56, 4.64]  1.38 ms ...
  // Among them the fastest ones that only read (level1/4) or only write (this
  // one), both faster than a copy. returns_input.py is none of them: what it
  // takes to copy what it returns was no part of its time then.
  void ReadSamples() {
    std::ifstream file(kSource + "/results/h200_demo.txt");
    const std::regex row(
        R"((level\d+/\d+) +(\S+) .* correct .*\] +([\d.]+) (us|ms) .*)");
    std::string line;
    while (std::getline(file, line)) {
      std::smatch part;
      if (!std::regex_match(line, part, row) || part[2] == "returns_input.py")
        continue;
      times_.push_back({part[1], Size::kFull, part[2],
                        std::stod(part[3]) * (part[4] == "ms" ? 1000 : 1)});
    }
  }

  double FloorOf(const Recorded& recorded) const {
    const auto problem = pack_->Load(recorded.problem, recorded.size);
    if (!problem || !problem->cost) {
      ADD_FAILURE() << recorded.problem << " or its cost is gone";
      return 0;
    }
    const record::Cost& cost = *problem->cost;
    const double outputs =
        std::min(outputs_.at({recorded.problem, recorded.size}),
                 static_cast<double>(cost.compulsory_bytes));
    record::Ruler ruler;
    ruler.output_bytes = static_cast<uint64_t>(outputs);
    ruler.weight_bytes = cost.state_bytes;
    // Of inputs and outputs together, where both count.
    const uint64_t rest = cost.compulsory_bytes - cost.state_bytes;
    ruler.input_bytes = rest - std::min(rest, ruler.output_bytes);
    return FloorMicros(DemandOf(*problem, record::Precision::kFp32, ruler),
                       kH200, record::Precision::kFp32);
  }

  std::optional<problems::Pack> pack_;
  std::vector<Recorded> times_;
  std::map<std::pair<std::string, Size>, double> outputs_;
};

TEST_F(RecordedFloorTest, NoHonestTimeIsBelowTheFloor) {
  size_t eager = 0;
  for (const Recorded& recorded : times_) {
    eager += recorded.who == "eager" ? 1 : 0;
    EXPECT_GT(recorded.micros, FloorOf(recorded))
        << recorded.problem << " " << record::SizeName(recorded.size) << " "
        << recorded.who;
  }
  EXPECT_EQ(eager, 500U);
  EXPECT_GE(times_.size(), 570U) << "compiled ones or samples are missing";
}

// An empty kernel takes a microsecond or two.
TEST_F(RecordedFloorTest, DoingNothingIsBelowTheFloorOfWhatMovesMuch) {
  int far = 0;
  for (const Recorded& recorded : times_) {
    if (recorded.size != Size::kFull || recorded.who != "eager") continue;
    const double floor = FloorOf(recorded);
    if (floor > 0.1 * recorded.micros && floor > 10) ++far;
  }
  EXPECT_GE(far, 60);
}

}  // namespace
}  // namespace kb::timing
