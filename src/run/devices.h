#pragma once

#include "analysis/reading.h"

namespace kb::run {

// A run that was judged on several devices becomes a run for each, "NAME on
// DEVICE" ("NAME on DEVICE by MODEL" where each has one of several models):
// times of two devices are never one score. Where requests do not say for which
// device they were (an older store), results do: a model was asked on a device
// for the problems (at a size and precision) of which it has a result there,
// and for those of which it has none on any. Of these every run has all
// samples: what has no device (an answer without code, a sample that did not
// compile) stands for each device on which the sample has no result of its own;
// a sample that was judged on others alone is one that was not judged there.
// Models without a result on any device keep the run's name.
void TakeDevicesApart(analysis::RunReading* reading);

}  // namespace kb::run
