// The floor against what PyTorch and our samples took on an H200: whoever makes
// it refuse an honest time finds out here.

#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <regex>
#include <string>

#include "base/json.h"
#include "problems/pack.h"
#include "record/timing.h"
#include "timing/floor.h"

namespace kb::timing {
namespace {

using record::Size;

const std::string kSource = KB_SOURCE_DIR;
// What an H200 reaches.
const record::Ceilings kH200{4054, 52, 400, 750, 790};

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
    ReadBaselines();
    ReadSamples();
  }

  void ReadEager(const std::string& name, const Size& size) {
    std::ifstream file(kSource + "/results/aa_" + name + "_h200.jsonl");
    std::string line;
    while (std::getline(file, line)) {
      const auto json = base::ParseJson(line, name);
      ASSERT_TRUE(json);
      const std::string id = json->at("problem");
      times_.push_back(
          {id, size, "eager", json->at("reference_time_us").at("median")});
      const auto ruler = record::RulerFromJson(json->at("ruler"));
      ASSERT_TRUE(ruler) << id;
      rulers_[{id, size}] = *ruler;
    }
  }

  // In every mode of torch.compile, too.
  void ReadBaselines() {
    std::ifstream file(kSource + "/results/baselines/h200.json");
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    const auto json = base::ParseJson(text, "h200.json");
    ASSERT_TRUE(json);
    for (const base::Json& row : json->at("baselines")) {
      const std::string id = row.at("problem");
      const bool of_pack = rulers_.contains({id, Size::kFull});
      if (!of_pack || row.at("size") != "full" || row.at("time_us").is_null())
        continue;
      const std::string mode = row.at("mode");
      times_.push_back({id, Size::kFull, "baseline " + mode,
                        row.at("time_us").at("median").get<double>()});
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
    if (!problem) {
      ADD_FAILURE() << recorded.problem << " is gone";
      return 0;
    }
    return FloorMicros(DemandOf(*problem, record::Precision::kFp32,
                                rulers_.at({recorded.problem, recorded.size})),
                       kH200, record::Precision::kFp32);
  }

  std::optional<problems::Pack> pack_;
  std::vector<Recorded> times_;
  std::map<std::pair<std::string, Size>, record::Ruler> rulers_;  // tensors
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
  EXPECT_GE(times_.size(), 1800U) << "compiled ones or samples are missing";
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
