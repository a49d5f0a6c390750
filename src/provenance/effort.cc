#include "effort.h"

#include <sched.h>
#include <sys/resource.h>
#include <time.h>

#include <algorithm>

namespace kb::provenance {
namespace {

double MicrosOf(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return 1e6 * static_cast<double>(time.tv_sec) +
         1e-3 * static_cast<double>(time.tv_nsec);
}

}  // namespace

Effort::Books Effort::Now() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return {MicrosOf(CLOCK_MONOTONIC), MicrosOf(CLOCK_PROCESS_CPUTIME_ID),
          1e6 * static_cast<double>(usage.ru_stime.tv_sec) +
              static_cast<double>(usage.ru_stime.tv_usec),
          static_cast<double>(usage.ru_minflt + usage.ru_majflt)};
}

void Effort::Begin() { begin_ = Now(); }

void Effort::End(int64_t calls) {
  const Books end = Now();
  sum_.wall_us += end.wall_us - begin_.wall_us;
  sum_.busy_us += end.busy_us - begin_.busy_us;
  sum_.system_us += end.system_us - begin_.system_us;
  sum_.page_faults += end.page_faults - begin_.page_faults;
  calls_ += calls;
}

void Effort::Tell(record::Activity* activity) const {
  const auto calls = static_cast<double>(std::max<int64_t>(calls_, 1));
  activity->calls = calls_;
  activity->call_us = sum_.wall_us / calls;
  activity->busy_us = sum_.busy_us / calls;
  activity->system_us = sum_.system_us / calls;
  activity->page_faults = sum_.page_faults / calls;
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  if (sched_getaffinity(0, sizeof allowed, &allowed) == 0)
    activity->processors = CPU_COUNT(&allowed);
}

}  // namespace kb::provenance
