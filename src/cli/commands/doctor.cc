#include "commands/doctor.h"

#include <fmt/format.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <cstdio>

#include "base/json.h"
#include "certifying.h"
#include "compile/toolchain.h"
#include "jail/jail.h"
#include "net/http.h"
#include "record/document.h"
#include "workplace/workplace.h"

namespace kb::cli {
namespace {

using base::Json;
using base::Result;

// One line of the report: a thing, whether it works, what was seen, what to do.
struct Line {
  std::string section;
  std::string name;
  bool works = false;
  std::string detail;
  std::string advice;
};

template <typename T>
Line ToolLine(const char* name, const compile::Found<T>& found,
              const std::string& detail) {
  return {"tools", name, found.tool.has_value(),
          found.tool ? detail : std::string(), found.reason};
}

std::vector<Line> ToolLines(const compile::Toolchain& tools) {
  std::vector<Line> lines;
  const auto& python = tools.python.tool;
  lines.push_back(
      ToolLine("python with torch >= 2.4", tools.python,
               python ? fmt::format("{}, Python {}, torch {}", python->path,
                                    python->version, python->torch_version)
                      : ""));
  if (python) {
    lines.push_back({"tools", "triton", python->has_triton,
                     python->has_triton ? "importable" : "",
                     "pip install triton, to judge Triton candidates"});
    lines.push_back({"tools", "NVRTC", !python->nvrtc_dirs.empty(),
                     python->nvrtc_dirs.empty() ? "" : python->nvrtc_dirs[0],
                     "comes with torch's CUDA wheels; needed on cuda only"});
    lines.push_back({"tools", "CUPTI", !python->cupti.empty(), python->cupti,
                     "comes with torch's CUDA wheels; shows what runs "
                     "(--provenance) on cuda"});
  }
  const auto& nvcc = tools.nvcc.tool;
  lines.push_back(
      ToolLine("nvcc", tools.nvcc,
               nvcc ? fmt::format("{} ({}{})", nvcc->path, nvcc->version,
                                  nvcc->is_wheel ? ", from wheels" : "")
                    : ""));
  const auto& gxx = tools.gxx.tool;
  lines.push_back(
      ToolLine("g++", tools.gxx,
               gxx ? fmt::format("{} ({})", gxx->path, gxx->version) : ""));
  const auto& ncu = tools.ncu.tool;
  lines.push_back(
      ToolLine("Nsight Compute", tools.ncu,
               ncu ? fmt::format("{} ({})", ncu->path, ncu->version) : ""));
  for (const compile::HeaderLibrary& headers : tools.headers)
    lines.push_back({"tools", headers.name.empty() ? "headers" : headers.name,
                     true, headers.folder, ""});
  return lines;
}

std::vector<Line> DeviceLines(const compile::Toolchain& tools) {
  std::vector<Line> lines{
      {"devices", "cpu", true,
       fmt::format("{} cores", sysconf(_SC_NPROCESSORS_ONLN)), ""}};
  if (!tools.python.tool) return lines;
  const compile::Python& python = *tools.python.tool;
  for (const compile::CudaDevice& device : python.cuda_devices)
    lines.push_back(
        {"devices", device.TorchName(), true,
         fmt::format("{}, compute capability {}, {:.0f} GiB, "
                     "driver {}",
                     device.name, device.capability,
                     static_cast<double>(device.total_bytes) / (1 << 30),
                     python.driver),
         ""});
  if (!python.cuda_devices.empty())
    lines.push_back({"devices", "counters", tools.no_counters.empty(),
                     tools.no_counters.empty() ? "for everybody" : "",
                     tools.no_counters});
  if (python.cuda_devices.empty())
    lines.push_back({"devices", "cuda", false, "",
                     "PyTorch sees no NVIDIA GPU; candidates in C++ and "
                     "(interpreted) Triton are judged on cpu, CUDA ones only "
                     "compiled"});
  return lines;
}

Line AskingLine() {
  const auto found = net::CheckLibrary();
  return {"models", "libcurl", found.has_value(),
          found ? "for models that are asked over HTTP" : "",
          found ? "" : found.error().message()};
}

std::vector<Line> IsolationLines(const jail::IsolationReport& report) {
  std::vector<Line> lines;
  for (const jail::Mechanism& mechanism : report.mechanisms)
    lines.push_back({"isolation",
                     fmt::format("{} (for {})", mechanism.name,
                                 jail::IsolationName(mechanism.needed_for)),
                     mechanism.works, mechanism.detail, mechanism.advice});
  lines.push_back({"isolation", "level", report.best != jail::Isolation::kNone,
                   jail::IsolationName(report.best), report.why_not_better});
  return lines;
}

void PrintLines(const std::vector<Line>& lines) {
  std::string section;
  for (const Line& line : lines) {
    if (line.section != section) fmt::print("\n{}\n", line.section);
    section = line.section;
    fmt::print("  {:<7}  {}{}{}\n", line.works ? "works" : "missing", line.name,
               line.detail.empty() ? "" : ": ", line.detail);
    const bool worth_saying = !line.works || line.name == "level";
    if (worth_saying && !line.advice.empty())
      fmt::print("           {}\n", line.advice);
  }
}

struct Findings {
  std::string kernel;
  std::string system;
  std::vector<Line> lines;
  jail::Isolation isolation = jail::Isolation::kNone;
  bool usable = false;
};

Result<Findings> Look() {
  KB_ASSIGN(const compile::Toolchain tools, compile::FindToolchain());
  const jail::IsolationReport isolation = jail::ProbeIsolation();
  Findings found;
  found.lines = DeviceLines(tools);
  for (auto& part : {ToolLines(tools), IsolationLines(isolation)})
    found.lines.insert(found.lines.end(), part.begin(), part.end());
  found.lines.push_back(AskingLine());
  utsname kernel{};
  uname(&kernel);
  found.kernel = kernel.release;
  found.system = kernel.sysname;
  found.isolation = isolation.best;
  found.usable =
      tools.python.tool.has_value() && isolation.best != jail::Isolation::kNone;
  return found;
}

Json ToJson(const Findings& found) {
  Json list = Json::array();
  for (const Line& line : found.lines)
    list.push_back({{"section", line.section},
                    {"name", line.name},
                    {"works", line.works},
                    {"detail", line.detail},
                    {"advice", line.works ? "" : line.advice}});
  return {{"version", KB_VERSION},
          {"kernel", found.kernel},
          {"usable", found.usable},
          {"isolation", jail::IsolationName(found.isolation)},
          {"lines", list}};
}

void PrintJson(const std::string& schema, const Json& fields) {
  fmt::print("{}\n", base::DumpJson(record::Document(schema, fields), 2));
}

Result<ExitCode> Run(const DoctorOptions& options) {
  if (!options.certify && !(options.device.empty() && options.samples.empty()))
    return base::Usage("--device and --samples belong to --certify");
  KB_ASSIGN(const Findings found, Look());
  const bool only_certificate = options.json && options.certify && found.usable;
  if (options.json && !only_certificate) {
    PrintJson("doctor", ToJson(found));
  } else if (!options.json) {
    fmt::print("kernelbench {} on {} {}\n", KB_VERSION, found.system,
               found.kernel);
    PrintLines(found.lines);
    fmt::print("\n{}\n", found.usable
                             ? "Candidates can be judged here."
                             : "Candidates cannot be judged here yet.");
  }
  if (!found.usable) return ExitCode::kNo;
  if (!options.certify) return ExitCode::kDone;
  std::fflush(stdout);
  KB_ASSIGN(const Certification certification,
            Certify(options.device, options.samples));
  if (options.json)
    PrintJson("certification", ToJson(certification));
  else
    fmt::print("{}", Describe(certification));
  if (certification.interrupted) return ExitCode::kInterrupted;
  return certification.Passed() ? ExitCode::kDone : ExitCode::kNo;
}

}  // namespace

void AddDoctor(Command* program, DoctorOptions* options, Call* call) {
  Command* doctor = program->AddCommand(
      "doctor", "what this machine has, what is missing, what to do");
  doctor->Footer(
      "example:\n  kernelbench doctor --certify\n\nexit code: 0 candidates can "
      "be judged here, and with --certify known kernels got their known "
      "verdicts and the ruler is straight; 1 not so; 2 wrong usage, 3 our "
      "failure, 130 interrupted");
  doctor->AddFlag("--json", &options->json, "print JSON for machines");
  doctor->AddFlag("--certify", &options->certify,
                  "judge kernels whose verdict is known and time references "
                  "against themselves; minutes");
  doctor->Add("--device", &options->device,
              "with --certify: cuda:N or cpu (default: the best one)");
  doctor->Add("--samples", &options->samples,
              "with --certify: folder of samples (default: ours)");
  Means(doctor, call, options, Run);
}

}  // namespace kb::cli
