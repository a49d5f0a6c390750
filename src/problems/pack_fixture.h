#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "os/files.h"
#include "problems/pack.h"

namespace kb::problems {

inline const std::string kProblem =
    "import torch\n\nN = 4096\n\n\nclass Model(torch.nn.Module):\n"
    "    def forward(self, x):\n        return x\n\n\n"
    "def get_inputs():\n    return [torch.rand(N)]\n\n\n"
    "def get_init_inputs():\n    return []\n";

inline bool Contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// A folder of its own and short ways to look at the pack in it.
class PackTest : public testing::Test {
 protected:
  void Write(const std::string& path, const std::string& text) {
    const std::string whole = Path(path);
    const auto parent = std::filesystem::path(whole).parent_path().string();
    ASSERT_TRUE(os::MakeDirectories(parent));
    ASSERT_TRUE(os::WriteFileAtomically(whole, text));
  }
  std::string Path(const std::string& path) const {
    return folder_.path() + (path.empty() ? "" : "/" + path);
  }
  Pack Opened(const std::string& path = "") {
    auto pack = Pack::Open(Path(path));
    EXPECT_TRUE(pack) << pack.error().message();
    return pack ? std::move(*pack) : Pack{};
  }
  static std::vector<std::string> Ids(const Pack& pack) {
    std::vector<std::string> ids;
    for (const Entry& entry : pack.List()) ids.push_back(entry.id);
    return ids;
  }
  static std::string Issues(const Pack& pack) {
    std::string all;
    for (const Issue& issue : pack.Issues()) all += issue.ToString() + "\n";
    return all;
  }
  static std::string Failure(const Pack& pack, const std::string& id,
                             const record::Size& size = record::Size::kFull) {
    const auto problem = pack.Load(id, size);
    EXPECT_FALSE(problem);
    if (problem) return "";
    EXPECT_EQ(problem.error().kind(), base::Error::Kind::kUsage);
    return problem.error().message();
  }

 private:
  os::TempDir folder_ = std::move(*os::TempDir::Create());
};

}  // namespace kb::problems
