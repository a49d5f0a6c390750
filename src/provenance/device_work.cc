#include "device_work.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "parts.h"

namespace kb::provenance {
namespace {

using base::Result;
using record::Activity;
using Item = DeviceWork::Item;

double Micros(uint64_t nanos) { return static_cast<double>(nanos) / 1e3; }

// How long it is from the first begin to the last end of each chain, and for
// how long of that anything runs, in nanoseconds.
struct Extent {
  uint64_t all = 0;
  uint64_t busy = 0;
};
Extent ExtentOf(std::vector<Item> items) {
  std::ranges::sort(items, {}, [](const Item& item) {
    return std::pair(item.chain, item.begin);
  });
  Extent extent;
  for (size_t i = 0; i < items.size();) {
    const int64_t chain = items[i].chain;
    const uint64_t first = items[i].begin;
    uint64_t last = first;
    for (; i < items.size() && items[i].chain == chain; ++i) {
      const uint64_t from = std::max(items[i].begin, last);
      if (items[i].end <= from) continue;
      extent.busy += items[i].end - from;
      last = items[i].end;
    }
    extent.all += last - first;
  }
  return extent;
}

}  // namespace

void DeviceWork::Add(Item item) {
  item.name = ShortName(item.name);
  item.object = FileName(item.object);
  items_.push_back(std::move(item));
}

Result<Activity> DeviceWork::Sum(int64_t calls) const {
  if (items_.empty() || calls < 1)
    return base::Fail("the device was not seen to do anything");
  struct Sum {
    uint64_t nanos = 0, count = 0, bytes = 0, longest = 0;
    std::optional<Activity::Launch> launch;
  };
  std::map<std::tuple<record::Origin, std::string, std::string>, Sum> sums;
  uint64_t total = 0;
  for (const Item& item : items_) {
    Sum& sum = sums[{item.origin, item.object, item.name}];
    const uint64_t nanos = item.end - item.begin;
    if (nanos >= sum.longest) sum.launch = item.launch;
    sum.longest = std::max(sum.longest, nanos);
    sum.nanos += nanos;
    sum.bytes += item.bytes;
    ++sum.count;
    total += nanos;
  }
  Activity activity;
  activity.method = "cupti";
  activity.samples = static_cast<int64_t>(items_.size());
  activity.calls = calls;
  const auto of_call = [&](double value) {
    return value / static_cast<double>(calls);
  };
  const Extent extent = ExtentOf(items_);
  activity.call_us = of_call(Micros(extent.all));
  activity.busy_us = of_call(Micros(extent.busy));
  for (auto& [key, sum] : sums) {
    Activity::Part part;
    std::tie(part.origin, part.object, part.name) = key;
    part.share = static_cast<double>(sum.nanos) / static_cast<double>(total);
    part.count = of_call(static_cast<double>(sum.count));
    part.bytes = of_call(static_cast<double>(sum.bytes));
    part.launch = sum.launch;
    activity.shares.at(static_cast<size_t>(part.origin)) += part.share;
    activity.parts.push_back(std::move(part));
  }
  KeepLargest(&activity.parts);
  return activity;
}

}  // namespace kb::provenance
