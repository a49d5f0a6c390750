#include "obstacles.h"

#include <gtest/gtest.h>

namespace kb::eval {
namespace {

using record::Backend;
using record::Track;

std::string WhyNot(Track track, Backend backend, bool cuda) {
  record::Candidate candidate;
  candidate.track = track;
  candidate.backend = backend;
  return WhyNotRunnable(candidate, cuda, {});
}

TEST(Obstacles, AFileOfCppRunsOnCpuOnly) {
  EXPECT_EQ(WhyNot(Track::kNative, Backend::kCpp, false), "");
  EXPECT_NE(WhyNot(Track::kNative, Backend::kCpp, true), "");
}

TEST(Obstacles, AnExtensionOfCppRunsEverywhere) {
  EXPECT_EQ(WhyNot(Track::kPython, Backend::kCpp, false), "");
  EXPECT_EQ(WhyNot(Track::kPython, Backend::kCpp, true), "");
}

TEST(Obstacles, CudaRunsOnCudaOnly) {
  for (const Track track : {Track::kNative, Track::kPython}) {
    EXPECT_NE(WhyNot(track, Backend::kCuda, false), "");
    EXPECT_EQ(WhyNot(track, Backend::kCuda, true), "");
  }
}

}  // namespace
}  // namespace kb::eval
