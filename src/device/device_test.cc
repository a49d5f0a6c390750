#include "device/device.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include "device/occupation.h"

namespace kb::device {
namespace {

std::unique_ptr<Device> Cpu() {
  auto device = Device::Open("cpu");
  EXPECT_TRUE(device.has_value());
  return std::move(*device);
}

os::Fd DuplicateOf(const SharedMemory& memory) {
  os::Fd fd(fcntl(memory.fd(), F_DUPFD_CLOEXEC, 0));
  EXPECT_TRUE(fd.valid());
  return fd;
}

// A memfd of `bytes` bytes with these seals, as a hostile peer would offer.
os::Fd Memfd(off_t bytes, int seals) {
  os::Fd fd(memfd_create("test", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  EXPECT_EQ(ftruncate(fd.get(), bytes), 0);
  if (seals != 0) {
    EXPECT_EQ(fcntl(fd.get(), F_ADD_SEALS, seals), 0);
  }
  return fd;
}

TEST(Device, UnknownNamesAreTheUsersMistake) {
  for (const char* name : {"", "gpu", "cuda", "cuda:", "cuda:x", "cuda:-1",
                           "cuda:1x", "cuda:99999999999", "cpu:0"}) {
    const auto device = Device::Open(name);
    ASSERT_FALSE(device.has_value()) << name;
    EXPECT_EQ(device.error().kind(), base::Error::Kind::kUsage) << name;
  }
}

TEST(Device, CpuDescribesItself) {
  const auto cpu = Cpu();
  EXPECT_FALSE(cpu->is_cuda());
  EXPECT_EQ(cpu->index(), 0);
  EXPECT_FALSE(cpu->Name().empty());
  EXPECT_FALSE(cpu->Arch().empty());
  EXPECT_EQ(cpu->Driver(), "");
  EXPECT_GT(cpu->FreeMemory().value_or(0), 0u);
}

TEST(SharedMemory, HoldsTheBytesAskedFor) {
  const auto cpu = Cpu();
  for (const size_t bytes : {0, 1, 4096, 4097, 1 << 20}) {
    const auto memory = cpu->Allocate(bytes);
    ASSERT_TRUE(memory.has_value()) << bytes;
    EXPECT_EQ((*memory)->size(), bytes);
    std::memset((*memory)->data(), 7, bytes);
  }
}

TEST(SharedMemory, TooLargeIsAnErrorNotACrash) {
  EXPECT_FALSE(Cpu()->Allocate(~size_t{0}).has_value());
}

TEST(SharedMemory, ChildProcessSeesAndChangesTheSameBytes) {
  const auto cpu = Cpu();
  const auto memory = std::move(*cpu->Allocate(1000));
  memory->data()[0] = std::byte{1};
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    auto mapped = cpu->Import(DuplicateOf(*memory), 1000);
    if (!mapped || (*mapped)->data() == memory->data() ||
        (*mapped)->data()[0] != std::byte{1})
      _exit(1);
    (*mapped)->data()[999] = std::byte{42};
    _exit(0);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(memory->data()[999], std::byte{42});
}

TEST(SharedMemory, NobodyCanChangeItsSize) {
  const auto cpu = Cpu();
  const auto memory = std::move(*cpu->Allocate(8192));
  const auto imported = std::move(*cpu->Import(DuplicateOf(*memory), 8192));
  EXPECT_EQ(ftruncate(imported->fd(), 0), -1);
  EXPECT_EQ(errno, EPERM);
  EXPECT_EQ(ftruncate(imported->fd(), 1 << 20), -1);
  EXPECT_EQ(errno, EPERM);
  EXPECT_EQ(fcntl(imported->fd(), F_ADD_SEALS, F_SEAL_WRITE), -1);
}

TEST(SharedMemory, ImportOfTooLittleIsRefused) {
  EXPECT_FALSE(Cpu()->Import(Memfd(4096, F_SEAL_SHRINK), 8192).has_value());
  EXPECT_TRUE(Cpu()->Import(Memfd(8192, F_SEAL_SHRINK), 8192).has_value());
}

TEST(SharedMemory, ImportOfWhatCanShrinkIsRefused) {
  EXPECT_FALSE(Cpu()->Import(Memfd(8192, 0), 8192).has_value());
  EXPECT_FALSE(Cpu()->Import(Memfd(8192, F_SEAL_GROW), 8192).has_value());
}

TEST(SharedMemory, ImportOfNothingIsRefused) {
  EXPECT_FALSE(Cpu()->Import(os::Fd(), 1).has_value());
}

TEST(Device, CopiesBetweenHostAndDevice) {
  const auto cpu = Cpu();
  const auto a = std::move(*cpu->Allocate(100));
  const auto b = std::move(*cpu->Allocate(100));
  const std::string text = "all of these bytes";
  std::string found(text.size(), ' ');
  ASSERT_TRUE(cpu->CopyFromHost(a->data(), text.data(), text.size()));
  ASSERT_TRUE(cpu->Copy(b->data(), a->data(), text.size(), nullptr));
  ASSERT_TRUE(cpu->CopyToHost(found.data(), b->data(), found.size()));
  EXPECT_EQ(found, text);
  EXPECT_TRUE(cpu->Copy(nullptr, nullptr, 0, nullptr));
}

TEST(Device, GlanceTakesJustTheBytesAskedFor) {
  const auto cpu = Cpu();
  const auto memory = std::move(*cpu->Allocate(100));
  const std::string text = "all of these bytes";
  ASSERT_TRUE(cpu->CopyFromHost(memory->data() + 7, text.data(), text.size()));
  std::vector<std::byte> found(text.size() + 1);
  const std::vector<Device::Look> looks{
      {found.data(), memory->data() + 7, 3},
      {found.data() + 3, memory->data() + 10, text.size() - 3}};
  ASSERT_TRUE(cpu->Glance(looks));
  EXPECT_EQ(std::memcmp(found.data(), text.data(), text.size()), 0);
  EXPECT_EQ(found.back(), std::byte{0});
}

// Work on cpu has ended when a call returns.
TEST(Device, CpuIsAlwaysIdle) {
  const auto cpu = Cpu();
  ASSERT_TRUE(cpu->Spin(0, nullptr));
  EXPECT_TRUE(cpu->Idle(nullptr).value_or(false));
}

TEST(Device, CpuHasNoGate) {
  const auto cpu = Cpu();
  alignas(4096) std::array<std::byte, 4096> page{};
  const auto gate = cpu->NewGate(page.data(), page.size());
  ASSERT_TRUE(gate.has_value());
  EXPECT_EQ(*gate, nullptr);
}

TEST(Device, CpuSaysNothingOfItsHealth) {
  const Health health = Cpu()->ReadHealth();
  EXPECT_EQ(health.clock_mhz, 0);
  EXPECT_EQ(health.temperature_c, 0);
  EXPECT_EQ(health.warning, "");
}

TEST(Timer, SpinLastsAtLeastAsLongAsAsked) {
  const auto cpu = Cpu();
  const auto timer = std::move(*cpu->NewTimer());
  ASSERT_TRUE(timer->Start(nullptr));
  ASSERT_TRUE(cpu->Spin(500, nullptr));
  ASSERT_TRUE(timer->Stop(nullptr));
  EXPECT_GE(timer->ElapsedMicros().value_or(0), 500);
}

TEST(Timer, ReadingBeforeStopIsAnError) {
  const auto timer = std::move(*Cpu()->NewTimer());
  EXPECT_FALSE(timer->ElapsedMicros().has_value());
  ASSERT_TRUE(timer->Start(nullptr));
  EXPECT_FALSE(timer->ElapsedMicros().has_value());
}

// The cpu keeps nothing: what is done in between takes its time.
TEST(Occupation, TellsHowLongItsWorkTook) {
  const auto cpu = Cpu();
  const auto occupation = std::move(*Occupation::Create(cpu.get()));
  for (int i = 0; i < 2; ++i) {
    ASSERT_TRUE(occupation->Begin());
    ASSERT_TRUE(cpu->Spin(500, nullptr));
    ASSERT_TRUE(occupation->Await());
    occupation->Release();
    EXPECT_GE(occupation->Micros().value_or(0), 500);
  }
}

}  // namespace
}  // namespace kb::device
