#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <map>

#include "base/text.h"
#include "profile/counters.h"

namespace kb::profile {
namespace {

using base::Result;

constexpr size_t kMostRows = size_t{1} << 20;
constexpr size_t kMostKernels = 1000;

constexpr const char* kDuration = "gpu__time_duration.sum";
constexpr const char* kMemory = "dram__bytes.sum";
constexpr const char* kLoads =
    "smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.pct";
constexpr const char* kStores =
    "smsp__sass_average_data_bytes_per_sector_mem_global_op_st.pct";
constexpr const char* kConflicts =
    "l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum";
constexpr const char* kTurns = "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum";

// How a stall's metric is called, and what the warp waits for.
struct Stall {
  const char* name;
  const char* what;
};
constexpr std::array kStalls{
    Stall{"long_scoreboard", "global and local memory"},
    Stall{"short_scoreboard", "shared memory"},
    Stall{"mio_throttle", "the queue to shared memory"},
    Stall{"lg_throttle", "the queue to global and local memory"},
    Stall{"math_pipe_throttle", "arithmetic units"},
    Stall{"barrier", "other warps at a barrier"},
    Stall{"wait", "the instruction before"},
    Stall{"not_selected", "its turn"},
};
std::string MetricOf(const Stall& stall) {
  return fmt::format(
      "smsp__average_warps_issue_stalled_{}_per_issue_active.ratio",
      stall.name);
}

// The fields of a line: quoted, with two quotes for one, or bare.
std::vector<std::string> FieldsOf(std::string_view line) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  for (size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '"') {
      const bool two = quoted && i + 1 < line.size() && line[i + 1] == '"';
      if (two) fields.back() += line[i++];
      if (!two) quoted = !quoted;
    } else if (line[i] == ',' && !quoted) {
      fields.emplace_back();
    } else if (line[i] != '\r') {
      fields.back() += line[i];
    }
  }
  return fields;
}

// "1,234.5"; a unit's factor makes microseconds and bytes of it.
std::optional<double> NumberOf(std::string text, const std::string& unit) {
  constexpr double kMost = 1e15;
  std::erase(text, ',');
  double number = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || rest != end) return std::nullopt;
  constexpr std::pair<const char*, double> kUnits[] = {
      {"ns", 1e-3},   {"nsecond", 1e-3}, {"ms", 1e3},    {"msecond", 1e3},
      {"s", 1e6},     {"second", 1e6},   {"Kbyte", 1e3}, {"Mbyte", 1e6},
      {"Gbyte", 1e9}, {"%", 1e-2}};
  for (const auto& [name, factor] : kUnits)
    if (unit == name) number *= factor;
  if (number >= 0 && number <= kMost) return number;
  return std::nullopt;
}

// Values of each kernel's metrics, one for each launch.
using Values =
    std::map<std::string, std::map<std::string, std::vector<double>>>;

struct Columns {
  size_t kernel = 0, metric = 0, unit = 0, value = 0;
  size_t Last() const { return std::max({kernel, metric, unit, value}); }
};

std::optional<Columns> ColumnsOf(const std::vector<std::string>& head) {
  Columns columns;
  for (const auto& [name, place] :
       {std::pair("Kernel Name", &columns.kernel),
        std::pair("Metric Name", &columns.metric),
        std::pair("Metric Unit", &columns.unit),
        std::pair("Metric Value", &columns.value)}) {
    const auto found = std::ranges::find(head, name);
    if (found == head.end()) return std::nullopt;
    *place = static_cast<size_t>(found - head.begin());
  }
  return columns;
}

std::optional<double> Median(const Values::mapped_type& metrics,
                             const std::string& name) {
  const auto found = metrics.find(name);
  if (found == metrics.end()) return std::nullopt;
  std::vector<double> values = found->second;
  std::ranges::sort(values);
  return values[values.size() / 2];
}

std::optional<double> ShareOf(const Values::mapped_type& metrics,
                              const std::string& name) {
  const auto share = Median(metrics, name);
  return share ? std::optional(std::min(1.0, *share)) : std::nullopt;
}

Counters CountersOf(const std::string& kernel,
                    const Values::mapped_type& metrics) {
  Counters counters;
  counters.kernel = kernel;
  counters.micros = Median(metrics, kDuration);
  counters.memory_bytes = Median(metrics, kMemory);
  counters.used_of_loads = ShareOf(metrics, kLoads);
  counters.used_of_stores = ShareOf(metrics, kStores);
  const auto conflicts = Median(metrics, kConflicts);
  const auto turns = Median(metrics, kTurns);
  if (conflicts && turns && *turns > 0)
    counters.bank_conflicts = std::min(1.0, *conflicts / *turns);
  for (const Stall& stall : kStalls)
    if (const auto cycles = Median(metrics, MetricOf(stall)))
      counters.stalls.emplace_back(stall.what, *cycles);
  std::ranges::stable_sort(counters.stalls, std::ranges::greater{},
                           [](const auto& stall) { return stall.second; });
  return counters;
}

}  // namespace

std::string CounterMetrics() {
  std::string names = fmt::format("{},{},{},{},{},{}", kDuration, kMemory,
                                  kLoads, kStores, kConflicts, kTurns);
  for (const Stall& stall : kStalls) names += "," + MetricOf(stall);
  return names;
}

Result<std::vector<Counters>> CountersFromCsv(std::string_view text) {
  std::optional<Columns> columns;
  Values values;
  size_t rows = 0;
  for (const std::string& line : base::Split(text, '\n')) {
    if (!line.starts_with('"')) continue;
    const std::vector<std::string> fields = FieldsOf(line);
    if (!columns) {
      columns = ColumnsOf(fields);
      continue;
    }
    if (fields.size() <= columns->Last()) continue;
    const std::string kernel = base::Printable(fields[columns->kernel]);
    const auto number = NumberOf(fields[columns->value], fields[columns->unit]);
    if (!number) continue;
    if (++rows > kMostRows || values.size() > kMostKernels)
      return base::Usage("more than {} counters or {} kernels", kMostRows,
                         kMostKernels);
    values[kernel][fields[columns->metric]].push_back(*number);
  }
  if (values.empty())
    return base::Usage(
        "no table of ncu --csv: no line has Kernel Name, Metric Name, Metric "
        "Unit and Metric Value with numbers under them{}",
        text.find("ERR_NVGPUCTRPERM") == std::string_view::npos
            ? ""
            : " (ncu was not permitted to read counters: ERR_NVGPUCTRPERM)");
  std::vector<Counters> all;
  for (const auto& [kernel, metrics] : values)
    all.push_back(CountersOf(kernel, metrics));
  return all;
}

}  // namespace kb::profile
