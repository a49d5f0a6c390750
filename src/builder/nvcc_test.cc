#include "nvcc.h"

#include <gtest/gtest.h>

namespace kb::builder {
namespace {

// What nvcc 13.2 says for one architecture, with shorter options.
constexpr const char* kDryRun = R"(nvcc warning : something
#$ _SPACE_= 
#$ CICC_PATH=/cuda/nvvm/bin
#$ gcc -E "a.cu" -o "/tmp/tmpxft_01-5_a.cpp4.ii" 
#$ cudafe++ --gen_c_file_name "/tmp/tmpxft_01-6_a.cudafe1.cpp" --stub_file_name "tmpxft_01-6_a.cudafe1.stub.c" --gen_module_id_file --module_id_file_name "/tmp/tmpxft_01-4_a.module_id" "/tmp/tmpxft_01-5_a.cpp4.ii" 
#$ gcc -D__CUDA_ARCH__=900 -E "a.cu" -o "/tmp/tmpxft_01-7_a.cpp1.ii" 
#$ "$CICC_PATH/cicc" --module_id_file_name "/tmp/tmpxft_01-4_a.module_id" --stub_file_name "/tmp/tmpxft_01-6_a.cudafe1.stub.c" "/tmp/tmpxft_01-7_a.cpp1.ii" -o "/tmp/tmpxft_01-6_a.ptx"
#$ ptxas "/tmp/tmpxft_01-6_a.ptx" -o "/tmp/tmpxft_01-8_a.cubin" 
#$ fatbinary "--image3=kind=elf,sm=90a,file=/tmp/tmpxft_01-8_a.cubin" --embedded-fatbin="/tmp/tmpxft_01-3_a.fatbin.c" 
#$ rm /tmp/tmpxft_01-3_a.fatbin
#$ gcc -c "/tmp/tmpxft_01-6_a.cudafe1.cpp" -o "a.o" 
)";

TEST(Nvcc, PlanHasCommandsAndTheirEnvironment) {
  const NvccPlan plan = ReadNvccPlan(kDryRun).value();
  EXPECT_EQ(plan.commands.size(), 7U) << "without rm";
  EXPECT_EQ(plan.environment.at("CICC_PATH"), "/cuda/nvvm/bin");
  EXPECT_EQ(plan.messages, "nvcc warning : something\n");
}

TEST(Nvcc, NoPhaseWritesTheNameThatTwoNeed) {
  const NvccPlan plan = ReadNvccPlan(kDryRun).value();
  EXPECT_EQ(plan.module_id_file, "/tmp/tmpxft_01-4_a.module_id");
  for (const std::string& command : plan.commands)
    EXPECT_EQ(command.find("--gen_module_id_file"), std::string::npos);
}

TEST(Nvcc, HostAndDeviceDoNotWaitForEachOther) {
  const auto order = Order(ReadNvccPlan(kDryRun)->commands);
  EXPECT_EQ(order[1], (std::vector<size_t>{0})) << "cudafe++";
  EXPECT_EQ(order[2], (std::vector<size_t>{})) << "the device's preprocessor";
  EXPECT_EQ(order[3], (std::vector<size_t>{2})) << "cicc";
  EXPECT_EQ(order[4], (std::vector<size_t>{3})) << "ptxas";
  EXPECT_EQ(order[5], (std::vector<size_t>{4})) << "fatbinary";
  EXPECT_EQ(order[6], (std::vector<size_t>{0, 1, 2, 3, 4, 5}))
      << "the host's compiler";
}

TEST(Nvcc, OtherTextIsNoPlan) {
  EXPECT_FALSE(ReadNvccPlan("nvcc fatal : no input\n"));
  EXPECT_FALSE(ReadNvccPlan(""));
}

}  // namespace
}  // namespace kb::builder
