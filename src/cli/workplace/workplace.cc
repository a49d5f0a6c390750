#include "workplace/workplace.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <thread>

#include "base/text.h"
#include "compile/slots.h"
#include "eval/baselines.h"
#include "eval/task_queue.h"
#include "os/files.h"
#include "os/machine.h"
#include "os/stop_on_signal.h"
#include "store/store.h"
#include "workplace/datasets.h"
#include "workplace/devices.h"
#include "workplace/progress.h"

namespace kb::workplace {
namespace {

using base::Result;

Result<jail::Isolation> ChooseIsolation(const JudgeOptions& options,
                                        const jail::IsolationReport& report) {
  if (options.isolation.empty()) {
    if (report.best != jail::Isolation::kNone) return report.best;
    return base::Usage(
        "no isolation works on this machine: {} See kernelbench doctor. "
        "--unsafe-no-sandbox runs foreign code with your own rights.",
        report.why_not_better);
  }
  const auto wanted = jail::ParseIsolation(options.isolation);
  if (!wanted || *wanted == jail::Isolation::kNone)
    return base::Usage("--isolation {}: use full or reduced",
                       options.isolation);
  if (*wanted > report.best)
    return base::Usage("--isolation {}: does not work here: {}",
                       options.isolation, report.why_not_better);
  return *wanted;
}

template <typename T>
Result<T> Choose(const std::string& text, const char* option, T otherwise,
                 std::optional<T> (*parse)(const std::string&),
                 const std::string& allowed) {
  if (text.empty()) return otherwise;
  const auto parsed = parse(text);
  if (!parsed) return base::Usage("{} {}: use {}", option, text, allowed);
  return *parsed;
}

const compile::CudaDevice* CudaDeviceOf(const std::string& device,
                                        const compile::Python& python) {
  const auto found = std::ranges::find(python.cuda_devices, device,
                                       &compile::CudaDevice::TorchName);
  return found == python.cuda_devices.end() ? nullptr : &*found;
}

Result<lane::LaneOptions> MakeLane(const std::string& device,
                                   const std::string& root,
                                   const compile::Python& python,
                                   jail::Isolation isolation) {
  lane::LaneOptions lane;
  lane.device = device;
  if (device == "cpu") lane.device_name = os::ProcessorName();
  if (const auto* gpu = CudaDeviceOf(device, python))
    lane.device_name = gpu->name;
  lane.torch = python.torch_version;
  lane.root = root;
  lane.python = python.path;
  lane.python_binds = python.prefixes;
  lane.oracle_env["KB_NVRTC_DIRS"] =
      fmt::format("{}", fmt::join(python.nvrtc_dirs, ":"));
  // torch.compile's caches are code that the oracle runs: never in a folder
  // that others can make, as its default below /tmp is.
  for (const auto& [variable, name] :
       {std::pair("TORCHINDUCTOR_CACHE_DIR", "inductor"),
        std::pair("TRITON_CACHE_DIR", "triton")}) {
    KB_ASSIGN(lane.oracle_env[variable], os::CacheDirectory(name));
  }
  lane.cupti = python.cupti;
  lane.isolation = isolation;
  return lane;
}

// Without a uuid: none, or one that PyTorch does not name.
lane::ChosenGpu GpuOf(const std::string& device,
                      const compile::Python& python) {
  const auto* gpu = CudaDeviceOf(device, python);
  if (gpu == nullptr || gpu->uuid.empty()) return {};
  return lane::ChooseGpu(gpu->uuid);
}

// The driver's order of its GPUs, which does not hang on who sees which.
std::vector<lane::Place> PlacesOf(const std::vector<lane::ChosenGpu>& gpus) {
  std::vector<lane::Place> places;
  for (const lane::ChosenGpu& gpu : gpus)
    places.push_back(gpu.of > 0 ? lane::Place{gpu.index, gpu.of}
                                : lane::Place{places.size(), gpus.size()});
  return places;
}

// Hands a task over when the one before is done.
class OneByOne : public eval::Observer {
 public:
  OneByOne(const std::vector<eval::Task>& tasks, eval::Observer* shown)
      : tasks_(tasks), shown_(shown) {
    AddNext();
  }
  eval::TaskQueue* queue() { return &queue_; }

  void OnStep(size_t index, const std::string& step) override {
    shown_->OnStep(index, step);
  }
  void OnDone(size_t index, const record::Evaluation& evaluation) override {
    shown_->OnDone(index, evaluation);
    AddNext();
  }
  void OnNotice(const std::string& text) override { shown_->OnNotice(text); }

 private:
  void AddNext() {
    if (next_ == tasks_.size()) return queue_.Close();
    queue_.Add(next_, tasks_[next_]);
    ++next_;
  }

  const std::vector<eval::Task>& tasks_;
  eval::Observer* shown_;
  eval::TaskQueue queue_;
  size_t next_ = 0;
};

Result<void> JudgeIn(Order order, const std::vector<eval::Task>& tasks,
                     const Workplace& workplace, eval::Observer* observer,
                     const std::stop_token& stop) {
  if (order == Order::kAny)
    return eval::JudgeAll(tasks, workplace.compiler, workplace.session,
                          observer, stop);
  OneByOne one_by_one(tasks, observer);
  return eval::JudgeQueue(one_by_one.queue(), workplace.compiler,
                          workplace.session, &one_by_one, stop);
}

}  // namespace

// The original casts everything to float32.
Result<record::Precision> ChoosePrecision(const JudgeOptions& options) {
  return Choose<record::Precision>(
      options.precision, "--precision",
      options.as.empty() ? record::Precision::kAsGiven
                         : record::Precision::kFp32,
      record::ParsePrecision, record::PrecisionNames());
}

Result<record::Policy> ChoosePolicy(const std::string& name,
                                    const JudgeOptions& options) {
  if (!options.as.empty() && !name.empty())
    return base::Usage("--as {} has a policy of its own; leave out --policy {}",
                       options.as, name);
  const std::string otherwise =
      options.as.empty() ? options.usual_policy : "original";
  const std::string wanted = name.empty() ? otherwise : name;
  auto policy = record::NamedPolicy(wanted);
  if (!policy) {
    const auto text = os::ReadFile(wanted, 1 << 20);
    if (!text)
      return base::Usage("--policy {}: neither a policy ({}) nor a file: {}",
                         wanted, record::PolicyNames(), text.error().message());
    const auto json = base::ParseJson(*text, wanted);
    if (!json) return base::Usage("{}", json.error().message());
    auto read = record::PolicyFromJson(*json);
    if (!read) return base::Propagate(read.error().Wrap(wanted));
    policy = std::move(*read);
  }
  if (options.trials)
    policy->min_timed_trials = policy->max_timed_trials = *options.trials;
  if (options.processes) policy->processes = *options.processes;
  if (options.stop_below) policy->stop_below = *options.stop_below;
  if (!options.cache.empty()) policy->warm = options.cache == "warm";
  if (const auto rule = record::ParseProvenanceRule(options.provenance))
    policy->provenance = *rule;
  if (options.profile) policy->profile = true;
  if (options.tolerance) {
    policy->tolerance =
        record::Tolerance{*options.tolerance, *options.tolerance};
    policy->error_multiple = 0;
  }
  return *policy;
}

Result<void> CheckIsolation(const record::Policy& policy,
                            const Workplace& workplace) {
  const jail::Isolation level = workplace.session.lanes.front().isolation;
  // Said on the command line and shown with every result.
  if (level == jail::Isolation::kNone) return base::Ok();
  const auto why = jail::WhyTooWeak(policy.min_isolation, level,
                                    workplace.session.isolation_gaps);
  if (!why)
    return base::Usage("policy \"{}\": min_isolation \"{}\"; {}", policy.name,
                       policy.min_isolation, why.error().message());
  if (why->empty()) return base::Ok();
  return base::Usage(
      "policy \"{}\" wants isolation {}: {}; see kernelbench doctor",
      policy.name, policy.min_isolation, *why);
}

Result<problems::Pack> OpenPack(const std::string& path) {
  if (path.empty()) return problems::Pack::OpenDefault();
  constexpr std::string_view kHub = "hf:";
  if (!path.starts_with(kHub))
    return problems::Pack::Open(path, ParquetAsJsonLines);
  KB_ASSIGN(const std::string folder, FetchDataset(path.substr(kHub.size())));
  return problems::Pack::Open(folder, ParquetAsJsonLines);
}

Result<record::Size> ChooseSizes(const std::string& name,
                                 const std::optional<uint64_t>& fit,
                                 const record::Size& otherwise) {
  if (!fit) {
    if (name.empty()) return otherwise;
    const auto size = record::ParseSize(name);
    if (size && *size != record::Size::kFitted) return *size;
    return base::Usage(
        "--size {}: use full, small, or a size that the problem has "
        "(kernelbench problems show ID), or --fit 24GB",
        name);
  }
  if (!name.empty()) return base::Usage("--size and --fit exclude each other");
  return record::Size::kFitted;
}

Result<record::Size> ChooseSize(const std::string& name,
                                const std::optional<uint64_t>& fit,
                                const record::Size& otherwise) {
  KB_ASSIGN(record::Size size, ChooseSizes(name, fit, otherwise));
  if (size.IsSeveral())
    return base::Usage(
        "--size {}: only kernelbench eval, run and prompt show take several "
        "sizes; name one",
        name);
  return size;
}

Result<record::Size> ChooseSize(const JudgeOptions& options,
                                const record::Size& otherwise) {
  return options.several_sizes
             ? ChooseSizes(options.size, options.fit, otherwise)
             : ChooseSize(options.size, options.fit, otherwise);
}

bool HasFla(const Workplace& workplace) {
  return !eval::FlaVersion(workplace.compiler).empty();
}

Result<Workplace> SetUp(const JudgeOptions& options) {
  constexpr uint64_t kOpenFiles = 256;
  KB_TRY(os::AllowOpenFiles(kOpenFiles));
  jail::SweepStaleJails();
  os::TempDir::RemoveStale();
  KB_ASSIGN(const std::string root, os::InstallRoot());
  KB_ASSIGN(compile::Toolchain tools, compile::FindToolchain(options.includes));
  if (!tools.python.tool)
    return base::Fail("no Python with torch >= 2.4: {}", tools.python.reason);
  KB_ASSIGN(const std::vector<std::string> devices,
            ChooseDevices(options.device, tools.python.tool->cuda_devices,
                          options.several_devices));
  jail::Isolation isolation = jail::Isolation::kNone;
  std::vector<jail::Gap> gaps;
  if (!options.unsafe_no_sandbox) {
    const jail::IsolationReport report = jail::ProbeIsolation();
    KB_ASSIGN(isolation, ChooseIsolation(options, report));
    gaps = jail::GapsOf(isolation, report);
  }
  const bool cuda = devices.front() != "cpu";
  KB_ASSIGN(
      const record::Size size,
      ChooseSize(options, cuda ? record::Size::kFull : record::Size::kSmall));
  KB_ASSIGN(const auto precision, ChoosePrecision(options));
  KB_ASSIGN(record::Policy policy, ChoosePolicy(options.policy, options));
  KB_ASSIGN(problems::Pack pack, OpenPack(options.pack));
  if (options.size.empty()) pack.AllowFullForSmall();
  eval::SessionOptions session;
  const compile::Python& python = *tools.python.tool;
  std::vector<lane::ChosenGpu> gpus;
  for (const std::string& device : devices)
    gpus.push_back(GpuOf(device, python));
  const auto shares = lane::ShareOut(cuda, PlacesOf(gpus));
  for (size_t i = 0; i < devices.size(); ++i) {
    KB_ASSIGN(lane::LaneOptions lane,
              MakeLane(devices[i], root, python, isolation));
    // No program of one lane gets to another's GPU.
    if (python.cuda_devices.size() > 1 && !gpus[i].uuid.empty())
      lane.gpu = gpus[i];
    lane.processors = shares[i];
    session.lanes.push_back(std::move(lane));
  }
  session.isolation = jail::IsolationName(isolation);
  session.isolation_gaps = std::move(gaps);
  const size_t others = shares.front().others.size();
  session.compile_jobs = compile::BuildSlots(
      others > 0 ? others : std::thread::hardware_concurrency(),
      os::AvailableMemory());
  compile::Compiler::Options compiler_options;
  compiler_options.isolation = isolation;
  KB_ASSIGN(auto compiler,
            compile::Compiler::Create(std::move(tools), compiler_options));
  return Workplace{std::move(session),      std::move(compiler),
                   cuda ? "cuda" : "cpu",   size,
                   options.fit.value_or(0), precision,
                   std::move(policy),       std::move(pack)};
}

Judged Judge(const std::vector<eval::Task>& tasks, const Workplace& workplace,
             const std::string& store_path, Order order) {
  Judged judged;
  std::optional<store::Store> store;
  if (!store_path.empty()) {
    auto opened = store::Store::Open(store_path);
    if (!opened) {
      judged.error = opened.error();
      return judged;
    }
    store.emplace(std::move(*opened));
  }
  std::vector<std::string> names;
  for (const eval::Task& task : tasks)
    names.push_back(task.problem.id + " " + task.candidate.name);
  const os::StopOnSignal signals;
  Progress progress(std::move(names), store ? &*store : nullptr);
  const auto result =
      JudgeIn(order, tasks, workplace, &progress, signals.token());
  judged.evaluations = progress.TakeResults();
  judged.interrupted = signals.token().stop_requested();
  if (!result && !judged.interrupted) judged.error = result.error();
  if (progress.store_error()) judged.error = progress.store_error();
  return judged;
}

ExitCode ExitCodeOf(const Judged& judged) {
  if (judged.interrupted) return ExitCode::kInterrupted;
  if (judged.error) return Complain(*judged.error);
  ExitCode code = ExitCode::kDone;
  for (const auto& evaluation : judged.evaluations) {
    if (!evaluation || evaluation->verdict == record::Verdict::kInfraError)
      return ExitCode::kOurFailure;
    if (evaluation->verdict != record::Verdict::kCorrect) code = ExitCode::kNo;
  }
  return code;
}

ExitCode Complain(const base::Error& error) {
  fmt::print(stderr, "kernelbench: {}\n", base::Printable(error.message()));
  return error.kind() == base::Error::Kind::kUsage ? ExitCode::kUsage
                                                   : ExitCode::kOurFailure;
}

}  // namespace kb::workplace
