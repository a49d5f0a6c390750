#include "cuda/launch_rate.h"

#include <algorithm>
#include <atomic>
#include <limits>
#include <memory>
#include <utility>

#include "cuda/gate.h"

namespace kb::device::cuda {
namespace {

using base::Result;

struct alignas(4096) Page {
  std::atomic<uint32_t> open{0};
};

// Owner of a stream and two events on it.
class Course {
 public:
  static Result<std::unique_ptr<Course>> Create(ContextPtr context) {
    auto course = std::unique_ptr<Course>(new Course(std::move(context)));
    const Driver& driver = course->context_->driver();
    KB_TRY(driver.stream_create(&course->stream, kStreamNonBlocking));
    KB_TRY(driver.event_create(&course->start, kEventDefault));
    KB_TRY(driver.event_create(&course->end, kEventDefault));
    return course;
  }
  Course(const Course&) = delete;
  Course& operator=(const Course&) = delete;
  ~Course() {
    const Driver& driver = context_->driver();
    if (end != nullptr) driver.event_destroy.Status(end);
    if (start != nullptr) driver.event_destroy.Status(start);
    if (stream != nullptr) driver.stream_destroy.Status(stream);
  }

  CUstream stream = nullptr;
  CUevent start = nullptr;
  CUevent end = nullptr;

 private:
  explicit Course(ContextPtr context) : context_(std::move(context)) {}
  ContextPtr context_;
};

Result<void> EnqueueLaunches(const Driver& driver, const Course& course,
                             Module* spin, int launches) {
  KB_TRY(driver.event_record(course.start, course.stream));
  for (int i = 0; i < launches; ++i)
    KB_TRY(spin->Launch("nothing", {1, 1, course.stream}));
  return driver.event_record(course.end, course.stream);
}

}  // namespace

Result<double> LaunchMicros(const ContextPtr& context, Module* spin) {
  constexpr uint32_t kReadings = 7;
  constexpr int kLaunches = 400;  // a queue holds about 1,000
  const Driver& driver = context->driver();
  const auto page = std::make_unique<Page>();
  KB_ASSIGN(const auto gate, RegisterGate(context, page.get(), sizeof(Page)));
  KB_ASSIGN(const auto course, Course::Create(context));
  // The fastest: a reading can only be disturbed in one direction.
  double least = std::numeric_limits<double>::infinity();
  for (uint32_t reading = 1; reading <= kReadings; ++reading) {
    // The first one loads the kernel, which a shut gate could block.
    if (reading > 1) KB_TRY(gate->Wait(page->open, reading, course->stream));
    const auto enqueued = EnqueueLaunches(driver, *course, spin, kLaunches);
    page->open.store(reading, std::memory_order_release);
    if (!enqueued) return base::Propagate(enqueued.error());
    KB_TRY(driver.event_synchronize(course->end));
    float millis = 0;
    KB_TRY(driver.event_elapsed(&millis, course->start, course->end));
    if (reading > 1)
      least = std::min(least, static_cast<double>(millis) * 1000 / kLaunches);
  }
  return least;
}

}  // namespace kb::device::cuda
