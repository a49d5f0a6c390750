#pragma once

#include "analysis/reading.h"

namespace kb::run {

// A run that was judged on several devices becomes a run for each, "NAME on
// DEVICE": times of two devices are never one score. What has no device (an
// answer without code, a sample that did not compile) stands for each device on
// which the sample has no result of its own; a sample that was judged on others
// alone is one that was not judged there. Every run then has all samples that
// were asked for.
void TakeDevicesApart(analysis::RunReading* reading);

}  // namespace kb::run
