#pragma once

#include <vector>

#include "device/device.h"
#include "device/kernels.h"
#include "device/occupation.h"
#include "exchange.h"
#include "oracle/reference.h"
#include "record/evaluation.h"
#include "slack.h"
#include "staging.h"

namespace kb::oracle {

// What is known of a problem's own inputs: Exam::LookAtGiven.
struct Given {
  // False: to what the policy would make of them PyTorch has no finite answer.
  bool mixes = true;
  // How far its answers' elements are apart, of each output of 16 bits; else 0.
  // Empty: not looked at.
  std::vector<double> spread;
};

// What every trial of one problem needs. Everything outlives the trials.
struct TrialParts {
  device::Device* device = nullptr;
  device::Kernels* kernels = nullptr;
  device::Occupation* occupation = nullptr;
  Reference* reference = nullptr;
  Exchange* exchange = nullptr;  // null in an audit
  record::Ceilings ceilings;     // of the device; not measured in an audit
  Staging staging;               // of the exchange
  bool exact_fits = true;        // so does the reference in float64
  bool neighbour = false;        // a program that is not ours uses the device
  Given given;
  Slack* slack = nullptr;  // null: no element has any
};

}  // namespace kb::oracle
