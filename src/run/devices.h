#pragma once

#include "analysis/reading.h"

namespace kb::run {

// A run of several devices, which judged or were asked to, becomes a run for
// each, "NAME on DEVICE" ("NAME on DEVICE by MODEL" where each has one of
// several models): times of two devices are never one score. Which samples of a
// problem (at a size and precision) a device was asked for, its requests say.
// Where none of the problem names it (an older store), results do: a model was
// asked there for the problems of which it has a result there, and for those of
// which it has none on any; but not for what requests that name other devices
// alone are for. Of these every run has all samples: what has no device (an
// answer without code, a sample that did not compile) stands for each device on
// which the sample has no result of its own; a sample that was judged on others
// alone is one that was not judged there. Models that no device judged or was
// asked to keep the run's name. Entry::asked_on becomes the run's device.
void TakeDevicesApart(analysis::RunReading* reading);

}  // namespace kb::run
