#include "record/profile.h"

#include <cmath>
#include <numeric>
#include <utility>

#include "base/text.h"

namespace kb::record {
namespace {

using base::Json;
using base::Result;
using Launch = Activity::Launch;
using Part = Activity::Part;

// A year in microseconds, more bytes than a call can move.
constexpr double kMostNumber = 1e15;
constexpr size_t kMostFigures = 16;

Result<double> NumberFromJson(const Json& json, const char* key) {
  KB_ASSIGN(const double number, base::Get<double>(json, key));
  if (number >= 0 && number <= kMostNumber) return number;
  return base::Fail("{}: {} is not from 0 to {:g}", key, number, kMostNumber);
}

Result<double> ShareFromJson(const Json& json, const char* key) {
  KB_ASSIGN(const double share, base::Get<double>(json, key));
  if (share >= 0 && share <= 1 + 1e-6) return share;
  return base::Fail("{}: {} is no share", key, share);
}

Result<int64_t> CountFromJson(const Json& json, const char* key) {
  KB_ASSIGN(const auto count, base::Get<int64_t>(json, key));
  if (count >= 0 && static_cast<double>(count) <= kMostNumber) return count;
  return base::Fail("{}: {} is no count", key, count);
}

Result<std::string> TextFromJson(const Json& json, const char* key) {
  constexpr size_t kMostBytes = 400;
  KB_ASSIGN(const auto text, base::Get<std::string>(json, key));
  return base::Shorten(base::Printable(text), kMostBytes);
}

Result<std::array<int64_t, 3>> ExtentFromJson(const Json& json,
                                              const char* key) {
  KB_ASSIGN(const auto list, base::Get<std::vector<int64_t>>(json, key));
  std::array<int64_t, 3> extent{};
  if (list.size() != extent.size())
    return base::Fail("{}: three numbers were expected", key);
  for (size_t i = 0; i < extent.size(); ++i) {
    if (list[i] < 1 || list[i] > INT32_MAX)
      return base::Fail("{}: {} is no extent", key, list[i]);
    extent.at(i) = list[i];
  }
  return extent;
}

Json LaunchToJson(const Launch& launch) {
  return {{"grid", launch.grid},
          {"block", launch.block},
          {"registers", launch.registers},
          {"static_shared_bytes", launch.static_shared_bytes},
          {"dynamic_shared_bytes", launch.dynamic_shared_bytes},
          {"local_bytes", launch.local_bytes}};
}

Result<Launch> LaunchFromJson(const Json& json) {
  Launch launch;
  KB_ASSIGN(launch.grid, ExtentFromJson(json, "grid"));
  KB_ASSIGN(launch.block, ExtentFromJson(json, "block"));
  KB_ASSIGN(launch.registers, CountFromJson(json, "registers"));
  KB_ASSIGN(launch.static_shared_bytes,
            CountFromJson(json, "static_shared_bytes"));
  KB_ASSIGN(launch.dynamic_shared_bytes,
            CountFromJson(json, "dynamic_shared_bytes"));
  KB_ASSIGN(launch.local_bytes, CountFromJson(json, "local_bytes"));
  return launch;
}

Json PartToJson(const Part& part) {
  return {{"origin", OriginName(part.origin)},
          {"name", part.name},
          {"object", part.object},
          {"share", part.share},
          {"count", part.count},
          {"bytes", part.bytes},
          {"launch", part.launch ? LaunchToJson(*part.launch) : Json()}};
}

Result<Part> PartFromJson(const Json& json) {
  Part part;
  KB_ASSIGN(const auto origin, base::Get<std::string>(json, "origin"));
  const auto known = ParseOrigin(origin);
  if (!known)
    return base::Fail("origin \"{}\" is unknown", base::Shorten(origin, 60));
  part.origin = *known;
  KB_ASSIGN(part.name, TextFromJson(json, "name"));
  KB_ASSIGN(part.object, TextFromJson(json, "object"));
  KB_ASSIGN(part.share, ShareFromJson(json, "share"));
  KB_ASSIGN(part.count, NumberFromJson(json, "count"));
  KB_ASSIGN(part.bytes, NumberFromJson(json, "bytes"));
  KB_ASSIGN(const Json launch, base::Get<Json>(json, "launch"));
  if (!launch.is_null()) {
    KB_ASSIGN(part.launch, LaunchFromJson(launch));
  }
  return part;
}

Result<void> PartsFromJson(const Json& json, std::vector<Part>* parts) {
  KB_ASSIGN(const Json list, base::Get<Json>(json, "parts"));
  if (!list.is_array() || list.size() > kMostParts)
    return base::Fail("parts: a list of at most {} was expected", kMostParts);
  double sum = 0;
  for (const Json& item : list) {
    KB_ASSIGN(Part part, PartFromJson(item));
    sum += part.share;
    parts->push_back(std::move(part));
  }
  if (sum <= 1 + 1e-6) return base::Ok();
  return base::Fail("the sum of the parts' shares is {}, more than 1", sum);
}

Json OccupancyToJson(const std::optional<Profile::Occupancy>& occupancy) {
  if (!occupancy) return {};
  return {{"share", occupancy->share}, {"limited_by", occupancy->limited_by}};
}

Result<std::optional<Profile::Occupancy>> OccupancyFromJson(const Json& json) {
  KB_ASSIGN(const Json body, base::Get<Json>(json, "occupancy"));
  if (body.is_null()) return std::optional<Profile::Occupancy>();
  Profile::Occupancy occupancy;
  KB_ASSIGN(occupancy.share, ShareFromJson(body, "share"));
  KB_ASSIGN(occupancy.limited_by, TextFromJson(body, "limited_by"));
  return std::optional(occupancy);
}

Json FigureToJson(const Profile::Figure& figure) {
  return {{"name", figure.name},
          {"value", figure.value},
          {"unit", figure.unit},
          {"ceiling", figure.ceiling ? Json(*figure.ceiling) : Json()},
          {"meaning", figure.meaning}};
}

Result<Profile::Figure> FigureFromJson(const Json& json) {
  Profile::Figure figure;
  KB_ASSIGN(figure.name, TextFromJson(json, "name"));
  KB_ASSIGN(figure.value, NumberFromJson(json, "value"));
  KB_ASSIGN(figure.unit, TextFromJson(json, "unit"));
  KB_ASSIGN(const Json ceiling, base::Get<Json>(json, "ceiling"));
  if (!ceiling.is_null()) {
    KB_ASSIGN(figure.ceiling, NumberFromJson(json, "ceiling"));
  }
  KB_ASSIGN(figure.meaning, TextFromJson(json, "meaning"));
  return figure;
}

}  // namespace

Json ToJson(const Activity& activity) {
  Json shares = Json::object(), parts = Json::array();
  for (size_t i = 0; i < kOrigins; ++i)
    shares[OriginName(static_cast<Origin>(i))] = activity.shares.at(i);
  for (const Part& part : activity.parts) parts.push_back(PartToJson(part));
  return {{"method", activity.method},
          {"samples", activity.samples},
          {"calls", activity.calls},
          {"call_us", activity.call_us},
          {"busy_us", activity.busy_us},
          {"system_us", activity.system_us},
          {"page_faults", activity.page_faults},
          {"processors", activity.processors},
          {"shares", std::move(shares)},
          {"parts", std::move(parts)}};
}

Result<Activity> ActivityFromJson(const Json& json) {
  Activity activity;
  KB_ASSIGN(activity.method, base::Get<std::string>(json, "method"));
  if (activity.method != "cupti" && activity.method != "samples")
    return base::Fail("method \"{}\" is neither cupti nor samples",
                      base::Shorten(activity.method, 60));
  KB_ASSIGN(activity.samples, CountFromJson(json, "samples"));
  KB_ASSIGN(activity.calls, CountFromJson(json, "calls"));
  if (activity.samples < 1 || activity.calls < 1)
    return base::Fail("there are no samples, or there is no call");
  KB_ASSIGN(activity.call_us, NumberFromJson(json, "call_us"));
  KB_ASSIGN(activity.busy_us, NumberFromJson(json, "busy_us"));
  KB_ASSIGN(activity.system_us, NumberFromJson(json, "system_us"));
  KB_ASSIGN(activity.page_faults, NumberFromJson(json, "page_faults"));
  KB_ASSIGN(activity.processors, CountFromJson(json, "processors"));
  KB_ASSIGN(const Json shares, base::Get<Json>(json, "shares"));
  for (size_t i = 0; i < kOrigins; ++i) {
    KB_ASSIGN(activity.shares.at(i),
              ShareFromJson(shares, OriginName(static_cast<Origin>(i))));
  }
  const double sum =
      std::accumulate(activity.shares.begin(), activity.shares.end(), 0.0);
  if (!(std::abs(sum - 1) < 1e-6))
    return base::Fail("the sum of the shares is {}, not 1", sum);
  KB_TRY(PartsFromJson(json, &activity.parts));
  return activity;
}

Json ToJson(const Yardstick& yardstick) {
  const DeviceLimits& limits = yardstick.limits;
  return {{"input_bytes", yardstick.input_bytes},
          {"weight_bytes", yardstick.weight_bytes},
          {"output_bytes", yardstick.output_bytes},
          {"ceilings", ToJson(yardstick.ceilings)},
          {"multiprocessors", limits.multiprocessors},
          {"threads", limits.threads},
          {"blocks", limits.blocks},
          {"registers", limits.registers},
          {"shared_bytes", limits.shared_bytes},
          {"reserved_shared_bytes", limits.reserved_shared_bytes}};
}

Result<Yardstick> YardstickFromJson(const Json& json) {
  Yardstick yardstick;
  DeviceLimits& limits = yardstick.limits;
  KB_ASSIGN(yardstick.input_bytes, base::Get<uint64_t>(json, "input_bytes"));
  KB_ASSIGN(yardstick.weight_bytes, base::Get<uint64_t>(json, "weight_bytes"));
  KB_ASSIGN(yardstick.output_bytes, base::Get<uint64_t>(json, "output_bytes"));
  KB_ASSIGN(const Json ceilings, base::Get<Json>(json, "ceilings"));
  KB_ASSIGN(yardstick.ceilings, CeilingsFromJson(ceilings));
  KB_ASSIGN(limits.multiprocessors, CountFromJson(json, "multiprocessors"));
  KB_ASSIGN(limits.threads, CountFromJson(json, "threads"));
  KB_ASSIGN(limits.blocks, CountFromJson(json, "blocks"));
  KB_ASSIGN(limits.registers, CountFromJson(json, "registers"));
  KB_ASSIGN(limits.shared_bytes, CountFromJson(json, "shared_bytes"));
  KB_ASSIGN(limits.reserved_shared_bytes,
            CountFromJson(json, "reserved_shared_bytes"));
  return yardstick;
}

Json ToJson(const Profile& profile) {
  Json json = ToJson(profile.activity);
  for (size_t i = 0; i < profile.activity.parts.size(); ++i)
    json["parts"][i]["occupancy"] =
        i < profile.occupancies.size() ? OccupancyToJson(profile.occupancies[i])
                                       : Json();
  json["limiter"] = profile.limiter;
  Json figures = Json::array();
  for (const Profile::Figure& figure : profile.figures)
    figures.push_back(FigureToJson(figure));
  json["figures"] = std::move(figures);
  return json;
}

Result<Profile> ProfileFromJson(const Json& json) {
  Profile profile;
  KB_ASSIGN(profile.activity, ActivityFromJson(json));
  for (const Json& part : json.at("parts")) {
    KB_ASSIGN(auto occupancy, OccupancyFromJson(part));
    profile.occupancies.push_back(std::move(occupancy));
  }
  KB_ASSIGN(profile.limiter, TextFromJson(json, "limiter"));
  KB_ASSIGN(const Json figures, base::Get<Json>(json, "figures"));
  if (!figures.is_array() || figures.size() > kMostFigures)
    return base::Fail("figures: a list of at most {} was expected",
                      kMostFigures);
  for (const Json& item : figures) {
    KB_ASSIGN(Profile::Figure figure, FigureFromJson(item));
    profile.figures.push_back(std::move(figure));
  }
  return profile;
}

}  // namespace kb::record
