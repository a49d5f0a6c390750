// The promises of src/device on cuda:0. The cpu device, whose own tests say
// what is right, gives the expected answers on the same bytes.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/random.h"
#include "device/device.h"
#include "device/kernels.h"
#include "device/occupation.h"
#include "os/files.h"

namespace kb::device {
namespace {

using record::DType;
using record::Tolerance;

constexpr DType kAll[] = {DType::kBool,    DType::kUInt8,    DType::kInt8,
                          DType::kInt16,   DType::kInt32,    DType::kInt64,
                          DType::kFloat16, DType::kBFloat16, DType::kFloat32,
                          DType::kFloat64};
constexpr int64_t kSizes[] = {0, 1, 7, 16, 255, 4097, 1'000'007};
constexpr size_t kMiB = size_t{1} << 20;
// Where a child process finds what it imports, and how much of it.
constexpr const char* kFdVariable = "KB_TEST_FD";
constexpr size_t kSharedBytes = 3 * kMiB + 5;

template <typename T>
T Value(base::Result<T> result) {
  if (result) return std::move(*result);
  ADD_FAILURE() << result.error().message();
  std::abort();
}

testing::AssertionResult Works(const base::Result<void>& result) {
  if (result) return testing::AssertionSuccess();
  return testing::AssertionFailure() << result.error().message();
}

// One device, its kernels, and buffers on it.
struct Side {
  explicit Side(const std::string& name)
      : device(Value(Device::Open(name))),
        kernels(Value(Kernels::Create(device.get()))) {}

  // `offset`: how far from an aligned address the bytes lie.
  std::unique_ptr<SharedMemory> Put(const std::vector<std::byte>& bytes,
                                    size_t offset = 0) {
    auto memory = Value(device->Allocate(bytes.size() + offset));
    EXPECT_TRUE(Works(device->CopyFromHost(memory->data() + offset,
                                           bytes.data(), bytes.size())));
    return memory;
  }
  std::vector<std::byte> Get(const SharedMemory& memory, size_t offset = 0) {
    std::vector<std::byte> bytes(memory.size() - offset);
    EXPECT_TRUE(Works(device->CopyToHost(bytes.data(), memory.data() + offset,
                                         bytes.size())));
    return bytes;
  }

  std::unique_ptr<Device> device;
  std::unique_ptr<Kernels> kernels;
};

std::vector<std::byte> RandomBytes(size_t count, uint64_t seed) {
  std::vector<std::byte> bytes(count);
  base::Sequence random(seed);
  for (auto& byte : bytes) byte = static_cast<std::byte>(random.Next());
  return bytes;
}

// Random bits with sums that stay finite: for float32 and float64 the exponent
// is kept small, but for one element in 64, which may be anything.
std::vector<std::byte> RandomElements(DType dtype, int64_t elements,
                                      uint64_t seed) {
  const size_t size = record::DTypeSize(dtype);
  auto bytes = RandomBytes(static_cast<size_t>(elements) * size, seed);
  if (dtype == DType::kBool)
    for (auto& byte : bytes) byte &= std::byte{1};
  if (!record::IsFloating(dtype)) return bytes;
  for (size_t i = 0; i * size < bytes.size(); ++i)
    if (base::Mix(seed + i) % 64 != 0)
      bytes[i * size + size - 1] &= std::byte{0xbf};
  return bytes;
}

// `bytes` with some elements copied from elsewhere, so that most but not all
// places agree.
std::vector<std::byte> Disturb(std::vector<std::byte> bytes, size_t size,
                               uint64_t seed) {
  const size_t elements = bytes.size() / size;
  base::Sequence random(seed);
  for (size_t k = 0; k < elements / 10; ++k) {
    const size_t to = random.Below(elements), from = random.Below(elements);
    std::memmove(&bytes[to * size], &bytes[from * size], size);
  }
  return bytes;
}

void ExpectSame(const Tally& cpu, const Tally& cuda) {
  EXPECT_EQ(cuda.elements, cpu.elements);
  EXPECT_EQ(cuda.wrong, cpu.wrong);
  EXPECT_EQ(cuda.nonfinite, cpu.nonfinite);
  EXPECT_EQ(cuda.unwritten, cpu.unwritten);
  EXPECT_EQ(cuda.zeros, cpu.zeros);
  EXPECT_EQ(cuda.max_abs_error, cpu.max_abs_error);
  EXPECT_EQ(cuda.max_rel_error, cpu.max_rel_error);
  EXPECT_EQ(cuda.min_actual, cpu.min_actual);
  EXPECT_EQ(cuda.max_actual, cpu.max_actual);
  EXPECT_EQ(cuda.first_wrong, cpu.first_wrong);
  EXPECT_EQ(cuda.worst, cpu.worst);
  EXPECT_EQ(cuda.worst_error, cpu.worst_error);
  // Added up in another order.
  const auto near = [](double a, double b) {
    return a == b || std::abs(a - b) <= 1e-9 * std::abs(a);
  };
  EXPECT_PRED2(near, cpu.sum_sq_error, cuda.sum_sq_error);
  EXPECT_PRED2(near, cpu.sum_sq_expected, cuda.sum_sq_expected);
}

class DeviceCudaTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    cpu_ = std::make_unique<Side>("cpu");
    cuda_ = std::make_unique<Side>("cuda:0");
  }
  static void TearDownTestSuite() {
    cuda_.reset();
    cpu_.reset();
  }

  // Compares the same bytes on both devices and expects the same tally.
  static Tally CompareOnBoth(const std::vector<std::byte>& expected,
                             DType expected_dtype,
                             const std::vector<std::byte>& actual, DType dtype,
                             size_t offset = 0) {
    const auto elements =
        static_cast<int64_t>(actual.size() / record::DTypeSize(dtype));
    const Tolerance tolerance{1e-3, 1e-3};
    const auto compare = [&](Side& side) {
      const auto e = side.Put(expected, offset);
      const auto a = side.Put(actual, offset);
      const std::byte* const x = e->data() + offset;
      const std::byte* const y = a->data() + offset;
      const Tally tally = Value(side.kernels->Compare(
          x, expected_dtype, y, dtype, elements, tolerance, 21));
      EXPECT_EQ(Value(side.kernels->CountWrong(x, expected_dtype, y, dtype,
                                               elements, tolerance)),
                static_cast<uint64_t>(tally.wrong));
      const auto errors = Value(
          side.kernels->MeasureErrors(x, expected_dtype, y, dtype, elements));
      // In another order, if it is a number at all.
      if (std::isfinite(tally.sum_sq_expected)) {
        EXPECT_NEAR(errors.sum_sq_expected, tally.sum_sq_expected,
                    1e-9 * tally.sum_sq_expected);
      }
      if (record::IsFloating(dtype)) {
        EXPECT_EQ(errors.max_abs_error, tally.max_abs_error);
      }
      return tally;
    };
    const Tally on_cpu = compare(*cpu_), on_cuda = compare(*cuda_);
    ExpectSame(on_cpu, on_cuda);
    return on_cuda;
  }

  static std::unique_ptr<Side> cpu_;
  static std::unique_ptr<Side> cuda_;
};
std::unique_ptr<Side> DeviceCudaTest::cpu_;
std::unique_ptr<Side> DeviceCudaTest::cuda_;

TEST_F(DeviceCudaTest, DescribesItself) {
  Device& device = *cuda_->device;
  EXPECT_TRUE(device.is_cuda());
  EXPECT_EQ(device.index(), 0);
  EXPECT_FALSE(device.Name().empty());
  EXPECT_TRUE(device.Arch().starts_with("sm_")) << device.Arch();
  EXPECT_NE(device.Driver().find("CUDA "), std::string::npos);
  EXPECT_GT(Value(device.FreeMemory()), kMiB);
  RecordProperty("device", device.Name());
  RecordProperty("driver", device.Driver());
}

TEST_F(DeviceCudaTest, ItsContextLaunchesAtOneRate) {
  const double first = Value(cuda_->device->LaunchMicros());
  EXPECT_GT(first, 0.1);
  EXPECT_LT(first, 100);
  // The other rate is 8 % away; somebody else may use the device.
  EXPECT_NEAR(Value(cuda_->device->LaunchMicros()), first, 0.5 * first);
}

TEST_F(DeviceCudaTest, DeviceThatDoesNotExistIsTheUsersMistake) {
  const auto device = Device::Open("cuda:99");
  ASSERT_FALSE(device.has_value());
  EXPECT_EQ(device.error().kind(), base::Error::Kind::kUsage);
}

TEST_F(DeviceCudaTest, CopiesArriveUnchanged) {
  for (const size_t bytes : {size_t{1}, size_t{4097}, 5 * kMiB + 3}) {
    const auto data = RandomBytes(bytes, bytes);
    const auto a = cuda_->Put(data);
    const auto b = Value(cuda_->device->Allocate(bytes));
    ASSERT_TRUE(
        Works(cuda_->device->Copy(b->data(), a->data(), bytes, nullptr)));
    EXPECT_EQ(cuda_->Get(*b), data);
  }
}

TEST_F(DeviceCudaTest, MoreMemoryThanThereIsIsANamedError) {
  const uint64_t free = Value(cuda_->device->FreeMemory());
  const auto memory = cuda_->device->Allocate(free + 1024 * kMiB);
  ASSERT_FALSE(memory.has_value());
  EXPECT_NE(memory.error().message().find("CUDA_ERROR_OUT_OF_MEMORY"),
            std::string::npos)
      << memory.error().message();
  EXPECT_TRUE(cuda_->device->Allocate(kMiB).has_value());
}

TEST_F(DeviceCudaTest, FreedMemoryComesBack) {
  const uint64_t before = Value(cuda_->device->FreeMemory());
  for (int i = 0; i < 20; ++i) Value(cuda_->device->Allocate(256 * kMiB));
  EXPECT_GE(Value(cuda_->device->FreeMemory()) + 64 * kMiB, before);
}

TEST_F(DeviceCudaTest, PoisonIsTheSameAsOnCpu) {
  for (const DType dtype : kAll) {
    for (const int64_t elements : kSizes) {
      for (const size_t offset : {size_t{0}, record::DTypeSize(dtype)}) {
        SCOPED_TRACE(fmt::format("{} x {} + {}", elements,
                                 record::DTypeName(dtype), offset));
        const auto fill = [&](Side& side) {
          const size_t bytes =
              static_cast<size_t>(elements) * record::DTypeSize(dtype);
          const auto memory = side.Put(std::vector<std::byte>(bytes), offset);
          EXPECT_TRUE(Works(side.kernels->Poison(memory->data() + offset, dtype,
                                                 elements, 4)));
          return side.Get(*memory, offset);
        };
        EXPECT_TRUE(fill(*cpu_) == fill(*cuda_));
      }
    }
  }
}

TEST_F(DeviceCudaTest, PoisonWritesNothingBehindItsEnd) {
  const auto memory = cuda_->Put(std::vector<std::byte>(4096));
  ASSERT_TRUE(
      Works(cuda_->kernels->Poison(memory->data(), DType::kBool, 1001, 4)));
  const auto bytes = cuda_->Get(*memory);
  EXPECT_NE(bytes[1000], std::byte{0});
  for (size_t i = 1001; i < bytes.size(); ++i)
    ASSERT_EQ(bytes[i], std::byte{0}) << i;
}

TEST_F(DeviceCudaTest, MixIsTheSameAsOnCpu) {
  for (const DType dtype : kAll) {
    if (!record::IsFloating(dtype)) continue;
    for (const int64_t elements : kSizes) {
      SCOPED_TRACE(fmt::format("{} x {}", elements, record::DTypeName(dtype)));
      const auto data = RandomElements(dtype, elements, 6);
      const auto mix = [&](Side& side) {
        const auto memory = side.Put(data);
        EXPECT_TRUE(
            Works(side.kernels->Mix(memory->data(), dtype, elements, 77)));
        return side.Get(*memory);
      };
      const auto on_cpu = mix(*cpu_);
      EXPECT_TRUE(on_cpu == mix(*cuda_));
      EXPECT_TRUE(elements < 100 || on_cpu != data);
    }
  }
}

TEST_F(DeviceCudaTest, OtherDistributionsAreTheSameAsOnCpu) {
  for (const DType dtype : kAll) {
    const bool ids = dtype == DType::kInt32 || dtype == DType::kInt64;
    if (!record::IsFloating(dtype) && !ids) continue;
    for (size_t number = 0; number < record::kDistributions; ++number) {
      const auto as = static_cast<record::Distribution>(number);
      if (ids != (as == record::Distribution::kZipf)) continue;
      SCOPED_TRACE(fmt::format("{} of {}", record::DistributionName(as),
                               record::DTypeName(dtype)));
      constexpr int64_t kElements = 100'003;
      const auto data = RandomElements(dtype, kElements, 6);
      const auto redraw = [&](Side& side) {
        const auto memory = side.Put(data);
        EXPECT_TRUE(Works(side.kernels->Distribute(
            memory->data(), dtype, kElements,
            {.as = as, .seed = 77, .row = 1001, .least = 5, .range = 999})));
        return side.Get(*memory);
      };
      const auto on_cpu = redraw(*cpu_);
      EXPECT_TRUE(on_cpu == redraw(*cuda_));
      EXPECT_EQ(on_cpu == data, as == record::Distribution::kAsGiven);
    }
  }
}

TEST_F(DeviceCudaTest, CompareIsTheSameAsOnCpu) {
  for (const DType dtype : kAll) {
    const size_t size = record::DTypeSize(dtype);
    for (const int64_t elements : kSizes) {
      SCOPED_TRACE(fmt::format("{} x {}", elements, record::DTypeName(dtype)));
      const auto expected = RandomElements(dtype, elements, 1);
      const auto actual = Disturb(expected, size, 2);
      const Tally tally = CompareOnBoth(expected, dtype, actual, dtype);
      EXPECT_TRUE(elements < 1000 || tally.wrong > 0);
      CompareOnBoth(expected, dtype, actual, dtype, size);
    }
  }
}

TEST_F(DeviceCudaTest, CompareWithFloat64IsTheSameAsOnCpu) {
  constexpr int64_t kElements = 100'003;
  std::vector<double> values(kElements);
  base::Sequence random(9);
  for (auto& value : values)
    value = std::ldexp(static_cast<double>(random.Below(1 << 20)), -19) - 1;
  std::vector<std::byte> expected(kElements * sizeof(double));
  std::memcpy(expected.data(), values.data(), expected.size());
  for (const DType dtype :
       {DType::kFloat16, DType::kBFloat16, DType::kFloat32}) {
    SCOPED_TRACE(record::DTypeName(dtype));
    const auto actual = RandomElements(dtype, kElements, 10);
    const Tally tally = CompareOnBoth(expected, DType::kFloat64, actual, dtype);
    EXPECT_GT(tally.wrong, 0);
    CompareOnBoth(expected, DType::kFloat64, actual, dtype, 8);
  }
}

TEST_F(DeviceCudaTest, UnwrittenElementsAreCounted) {
  constexpr int64_t kElements = 1'000'007;
  for (const DType dtype : kAll) {
    SCOPED_TRACE(record::DTypeName(dtype));
    const size_t bytes = kElements * record::DTypeSize(dtype);
    const auto expected = cuda_->Put(std::vector<std::byte>(bytes));
    const auto actual = cuda_->Put(std::vector<std::byte>(bytes));
    ASSERT_TRUE(
        Works(cuda_->kernels->Poison(actual->data(), dtype, kElements, 5)));
    const Tally tally = Value(
        cuda_->kernels->Compare(expected->data(), dtype, actual->data(), dtype,
                                kElements, Tolerance{1e9, 1e9}, 5));
    EXPECT_EQ(tally.unwritten, kElements);
    EXPECT_GE(tally.wrong, record::IsFloating(dtype) ? kElements : 1);
  }
}

TEST_F(DeviceCudaTest, SlackIsTheSameOnBothAndSoIsWhatIsBeyond) {
  constexpr int64_t kElements = 300'007;
  constexpr DType kWide = DType::kFloat64;
  for (const DType dtype :
       {DType::kFloat16, DType::kBFloat16, DType::kFloat32}) {
    SCOPED_TRACE(record::DTypeName(dtype));
    const size_t size = record::DTypeSize(dtype);
    const auto expected = RandomElements(kWide, kElements, 1);
    const auto actual = RandomElements(dtype, kElements, 2);
    const std::vector<std::vector<std::byte>> moved = {
        Disturb(actual, size, 3), RandomElements(dtype, kElements, 4)};
    const auto compare = [&](Side& side, std::vector<std::byte>* slack) {
      const auto e = side.Put(expected), a = side.Put(actual, size);
      const auto s = Value(side.device->Allocate(kElements * sizeof(float)));
      for (size_t i = 0; i < moved.size(); ++i) {
        const auto m = side.Put(moved[i]);
        EXPECT_TRUE(Works(side.kernels->Widen(
            e->data(), m->data(), dtype, kElements, 0.5, i == 0, s->data())));
      }
      *slack = side.Get(*s);
      return Value(side.kernels->CompareBeyond(
          e->data(), a->data() + size, dtype, kElements, Tolerance{1e-3, 1e-3},
          s->data()));
    };
    std::vector<std::byte> on_cpu, on_cuda;
    const Tally cpu = compare(*cpu_, &on_cpu);
    const Tally cuda = compare(*cuda_, &on_cuda);
    EXPECT_EQ(on_cpu, on_cuda);
    ExpectSame(cpu, cuda);
    EXPECT_GT(cpu.wrong, 0);
    EXPECT_LT(cpu.wrong, kElements);
  }
}

TEST_F(DeviceCudaTest, CompareGivesTheSameBitsEveryTime) {
  const auto expected = RandomElements(DType::kFloat32, 1'000'007, 1);
  const auto actual = Disturb(expected, 4, 2);
  const auto e = cuda_->Put(expected), a = cuda_->Put(actual);
  const auto compare = [&] {
    return Value(cuda_->kernels->Compare(e->data(), DType::kFloat32, a->data(),
                                         DType::kFloat32, 1'000'007,
                                         Tolerance{}, 0));
  };
  const Tally first = compare();
  for (int i = 0; i < 10; ++i) {
    const Tally again = compare();
    EXPECT_EQ(std::memcmp(&first, &again, sizeof(Tally)), 0);
  }
}

TEST_F(DeviceCudaTest, CountDifferentIsTheSameAsOnCpu) {
  for (const size_t bytes : {size_t{1}, size_t{1000}, 3 * kMiB + 7}) {
    for (const size_t offset : {size_t{0}, size_t{3}}) {
      const auto data = RandomBytes(bytes, 1);
      const auto other = Disturb(data, 1, 2);
      const auto count = [&](Side& side) {
        const auto a = side.Put(data, offset), b = side.Put(other, offset);
        // The same ones beside them, and nothing.
        const std::vector<Kernels::Pair> pairs{
            {a->data() + offset, a->data() + offset, bytes},
            {a->data() + offset, b->data() + offset, bytes},
            {a->data(), b->data(), 0}};
        const auto counts = Value(side.kernels->CountDifferent(pairs));
        EXPECT_EQ(counts[0], 0U);
        EXPECT_EQ(counts[2], 0U);
        return counts[1];
      };
      EXPECT_EQ(count(*cpu_), count(*cuda_));
    }
  }
}

TEST_F(DeviceCudaTest, EvictCacheCanBeRepeated) {
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(Works(cuda_->kernels->EvictCache()));
}

TEST_F(DeviceCudaTest, TimerMeasuresASpinOnTheDevice) {
  const auto timer = Value(cuda_->device->NewTimer());
  ASSERT_TRUE(Works(cuda_->device->Spin(1, nullptr)));
  for (const double micros : {100.0, 10'000.0}) {
    ASSERT_TRUE(Works(timer->Start(nullptr)));
    ASSERT_TRUE(Works(cuda_->device->Spin(micros, nullptr)));
    ASSERT_TRUE(Works(timer->Stop(nullptr)));
    // The device's clock may count in steps of a microsecond.
    EXPECT_GE(Value(timer->ElapsedMicros()), micros - 2);
  }
}

TEST_F(DeviceCudaTest, AnOccupationRunsWhatIsEnqueuedBetween) {
  const auto occupation = Value(Occupation::Create(cuda_->device.get()));
  for (const double micros : {100.0, 10'000.0}) {
    ASSERT_TRUE(Works(occupation->Begin()));
    ASSERT_TRUE(Works(cuda_->device->Spin(micros, nullptr)));
    ASSERT_TRUE(Works(cuda_->kernels->EvictCache()));
    ASSERT_TRUE(Works(occupation->Await()));
    EXPECT_FALSE(Value(cuda_->device->Idle(nullptr))) << "a kernel stays";
    occupation->Release();
    EXPECT_GE(Value(occupation->Micros()), micros - 2);
  }
}

TEST_F(DeviceCudaTest, WhatIsLeftOfAnOccupationDoesNotStopTheNext) {
  const auto occupation = Value(Occupation::Create(cuda_->device.get()));
  ASSERT_TRUE(Works(occupation->Begin()));
  ASSERT_TRUE(Works(occupation->Begin()));
  ASSERT_TRUE(Works(occupation->Await()));
  occupation->Release();
  EXPECT_TRUE(Works(cuda_->device->Synchronize()));
}

// Begins one of the tests called DISABLED_Child.* in a new process of this
// program, which inherits `fd`.
pid_t StartChild(const std::string& test, int fd) {
  const std::string filter = "--gtest_filter=DISABLED_Child." + test;
  const std::string inherited = std::to_string(fd);
  const pid_t child = fork();
  if (child == 0) {
    setenv(kFdVariable, inherited.c_str(), 1);
    fcntl(fd, F_SETFD, 0);
    execl("/proc/self/exe", "device_cuda_test", filter.c_str(),
          "--gtest_also_run_disabled_tests", static_cast<char*>(nullptr));
    _exit(127);
  }
  return child;
}

// Its exit status.
int EndOf(pid_t child) {
  int status = -1;
  if (child < 0 || waitpid(child, &status, 0) != child) return -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int RunChild(const std::string& test, int fd) {
  return EndOf(StartChild(test, fd));
}

// Until the parent closes its end of the pipe.
TEST(DISABLED_Child, KeepsTheDeviceBusy) {
  const char* number = std::getenv(kFdVariable);
  ASSERT_NE(number, nullptr) << "only a child of this program runs this test";
  const auto device = Value(Device::Open("cuda:0"));
  pollfd parent{std::atoi(number), POLLIN, 0};
  while (poll(&parent, 1, 0) == 0) {
    for (int i = 0; i < 4; ++i) ASSERT_TRUE(Works(device->Spin(5000, nullptr)));
    ASSERT_TRUE(Works(device->Synchronize()));
  }
}

// A slice of time is 2 ms on an H200, and a neighbour who has always work gets
// one whenever we have none for a moment.
TEST_F(DeviceCudaTest, NobodyGetsTheDeviceInTheMiddleOfAnOccupation) {
  constexpr double kShort = 1000;  // microseconds; our own work takes 300
  Device& device = *cuda_->device;
  const auto occupation = Value(Occupation::Create(&device));
  const auto timer = Value(device.NewTimer());
  int pipe_ends[2];
  ASSERT_EQ(pipe2(pipe_ends, O_CLOEXEC), 0);
  const os::Fd theirs(pipe_ends[0]);
  os::Fd ours(pipe_ends[1]);
  const pid_t child = StartChild("KeepsTheDeviceBusy", theirs.get());
  // Without: our work in two parts, with a moment in between.
  const auto in_two_parts = [&] {
    EXPECT_TRUE(Works(timer->Start(nullptr)));
    EXPECT_TRUE(Works(device.Spin(150, nullptr)));
    EXPECT_TRUE(Works(device.Synchronize()));
    EXPECT_TRUE(Works(device.Spin(150, nullptr)));
    EXPECT_TRUE(Works(timer->Stop(nullptr)));
    return Value(timer->ElapsedMicros());
  };
  int visits = 0;
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (visits < 20 && std::chrono::steady_clock::now() < end)
    visits += in_two_parts() > kShort ? 1 : 0;
  EXPECT_EQ(visits, 20) << "the neighbour is not there";
  int undisturbed = 0;
  constexpr int kTimes = 20;
  for (int i = 0; i < kTimes; ++i) {
    ASSERT_TRUE(Works(occupation->Begin()));
    ASSERT_TRUE(Works(device.Spin(150, nullptr)));
    usleep(100);
    ASSERT_TRUE(Works(device.Spin(150, nullptr)));
    ASSERT_TRUE(Works(occupation->Await()));
    occupation->Release();
    undisturbed += Value(occupation->Micros()) < kShort ? 1 : 0;
  }
  EXPECT_GE(undisturbed, kTimes * 9 / 10);
  ours.Close();
  EXPECT_EQ(EndOf(child), 0);
}

TEST_F(DeviceCudaTest, UnfinishedTimerIsAnError) {
  const auto timer = Value(cuda_->device->NewTimer());
  EXPECT_FALSE(timer->ElapsedMicros().has_value());
}

TEST_F(DeviceCudaTest, ImportedMemoryIsTheSameMemory) {
  const auto memory = cuda_->Put(RandomBytes(kSharedBytes, 1));
  os::Fd fd(fcntl(memory->fd(), F_DUPFD_CLOEXEC, 0));
  const auto imported =
      Value(cuda_->device->Import(std::move(fd), kSharedBytes));
  EXPECT_NE(imported->data(), memory->data());
  EXPECT_EQ(cuda_->Get(*imported), cuda_->Get(*memory));
}

TEST_F(DeviceCudaTest, ImportOfMoreThanWasExportedIsRefused) {
  const auto memory = Value(cuda_->device->Allocate(1));
  os::Fd fd(fcntl(memory->fd(), F_DUPFD_CLOEXEC, 0));
  EXPECT_FALSE(cuda_->device->Import(std::move(fd), 64 * kMiB).has_value());
}

TEST_F(DeviceCudaTest, ImportOfWhatIsNoMemoryIsRefused) {
  os::Fd fd(open("/dev/null", O_RDWR | O_CLOEXEC));
  EXPECT_FALSE(cuda_->device->Import(std::move(fd), kMiB).has_value());
}

// The memory that the parent process handed over.
std::unique_ptr<SharedMemory> Inherited(Device* device) {
  const char* number = std::getenv(kFdVariable);
  if (number == nullptr) return nullptr;
  return Value(device->Import(os::Fd(std::atoi(number)), kSharedBytes));
}

TEST(DISABLED_Child, PoisonsWhatItImports) {
  Side side("cuda:0");
  const auto memory = Inherited(side.device.get());
  ASSERT_NE(memory, nullptr) << "only a child of this program runs this test";
  EXPECT_TRUE(Works(
      side.kernels->Poison(memory->data(), DType::kUInt8, kSharedBytes, 31)));
  EXPECT_TRUE(Works(side.device->Synchronize()));
}

TEST(DISABLED_Child, WritesOutOfBounds) {
  Side side("cuda:0");
  const auto memory = Inherited(side.device.get());
  ASSERT_NE(memory, nullptr) << "only a child of this program runs this test";
  // Far beyond any mapping near it.
  std::byte* outside = memory->data() + (size_t{1} << 40);
  ASSERT_TRUE(Works(side.kernels->Poison(outside, DType::kUInt8, 1 << 20, 1)));
  const auto waited = side.device->Synchronize();
  ASSERT_FALSE(waited.has_value());
  EXPECT_NE(waited.error().message().find("CUDA_ERROR_ILLEGAL_ADDRESS"),
            std::string::npos)
      << waited.error().message();
}

TEST_F(DeviceCudaTest, ChildProcessWritesIntoTheSameMemory) {
  const auto memory = cuda_->Put(std::vector<std::byte>(kSharedBytes));
  ASSERT_EQ(RunChild("PoisonsWhatItImports", memory->fd()), 0);
  std::vector<std::byte> expected(kSharedBytes);
  ASSERT_TRUE(Works(
      cpu_->kernels->Poison(expected.data(), DType::kUInt8, kSharedBytes, 31)));
  EXPECT_TRUE(cuda_->Get(*memory) == expected);
}

TEST_F(DeviceCudaTest, FaultOfAChildLeavesThisProcessIntact) {
  const auto data = RandomBytes(kSharedBytes, 8);
  const auto memory = cuda_->Put(data);
  ASSERT_EQ(RunChild("WritesOutOfBounds", memory->fd()), 0);
  EXPECT_TRUE(cuda_->Get(*memory) == data);
  EXPECT_TRUE(Works(cuda_->device->Synchronize()));
  EXPECT_TRUE(Works(
      cuda_->kernels->Poison(memory->data(), DType::kUInt8, kSharedBytes, 1)));
  EXPECT_TRUE(Works(cuda_->device->Synchronize()));
}

// The compiled kernels on disk.
std::vector<std::filesystem::path> Cached(const std::string& folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(folder))
    if (entry.path().extension() == ".cubin") files.push_back(entry.path());
  return files;
}

TEST_F(DeviceCudaTest, DamagedCacheIsCompiledAnew) {
  const char* old = std::getenv("KB_CACHE");
  const std::string before = old != nullptr ? old : "";
  const auto folder = Value(os::TempDir::Create());
  setenv("KB_CACHE", folder.path().c_str(), 1);
  Value(Kernels::Create(cuda_->device.get()));
  const auto files = Cached(folder.path());
  EXPECT_EQ(files.size(), 4u);
  std::vector<std::string> contents;
  for (const auto& file : files) {
    contents.push_back(Value(os::ReadFile(file)));
    EXPECT_TRUE(Works(os::WriteFileAtomically(file, "damaged")));
  }
  const auto kernels = Value(Kernels::Create(cuda_->device.get()));
  EXPECT_TRUE(Works(kernels->EvictCache()));
  for (size_t i = 0; i < files.size(); ++i)
    EXPECT_EQ(Value(os::ReadFile(files[i])).size(), contents[i].size());
  if (old != nullptr) {
    setenv("KB_CACHE", before.c_str(), 1);
  } else {
    unsetenv("KB_CACHE");
  }
}

}  // namespace
}  // namespace kb::device
