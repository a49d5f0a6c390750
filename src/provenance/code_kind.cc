#include "code_kind.h"

#include <algorithm>
#include <array>

namespace kb::provenance {
namespace {

using record::Origin;

struct Row {
  std::string_view begins;  // a file's name
  CodeKind kind;
};
constexpr std::array kNames{
    Row{"libpython", CodeKind::kInterpreter},
    Row{"libffi", CodeKind::kInterpreter},
    Row{"_ctypes.", CodeKind::kInterpreter},
    Row{"libtorch_python", CodeKind::kBindings},
    Row{"libc10", CodeKind::kCore},
    Row{"libtorch", CodeKind::kFramework},
    Row{"libcaffe2", CodeKind::kFramework},
    Row{"libcuda.so", CodeKind::kDriver},
    Row{"libcudart", CodeKind::kDriver},
    Row{"libcupti", CodeKind::kDriver},
    Row{"libnvidia-", CodeKind::kDriver},
    Row{"libc.so", CodeKind::kRuntime},
    Row{"libm.so", CodeKind::kRuntime},
    Row{"libmvec.so", CodeKind::kRuntime},
    Row{"libpthread", CodeKind::kRuntime},
    Row{"libstdc++", CodeKind::kRuntime},
    Row{"libgcc_s", CodeKind::kRuntime},
    Row{"libgomp", CodeKind::kRuntime},
    Row{"libomp", CodeKind::kRuntime},
    Row{"libiomp5", CodeKind::kRuntime},
    Row{"ld-linux", CodeKind::kRuntime},
    Row{"linux-vdso", CodeKind::kRuntime},
};

bool Has(std::string_view path, std::string_view part) {
  return path.find(part) != std::string_view::npos;
}

// Where a jail has the candidate's own files and what they build: its
// temporary folder, "/candidate" or "kb-candidate..." (lane/jail_spec.cc),
// memory that has no file.
bool IsCandidates(std::string_view path) {
  constexpr std::array<std::string_view, 5> kPlaces{
      "/candidate/", "/tmp/", "/var/tmp/", "/dev/shm/", "/memfd:"};
  const bool there = std::ranges::any_of(
      kPlaces, [&](std::string_view place) { return path.starts_with(place); });
  // A virtual environment may lie below /tmp.
  return (there || Has(path, "/kb-candidate")) &&
         !Has(path, "/site-packages/") && !Has(path, "/lib-dynload/");
}

}  // namespace

CodeKind KindOfObject(std::string_view path) {
  const std::string_view name = path.substr(path.rfind('/') + 1);
  if (path.empty()) return CodeKind::kInterpreter;
  if (Has(path, "torchinductor")) return CodeKind::kGenerated;
  // A candidate's file may have any name.
  if (IsCandidates(path))
    return Has(path, "/triton/") ? CodeKind::kTriton : CodeKind::kOwn;
  for (const auto& [begins, kind] : kNames)
    if (name.starts_with(begins)) return kind;
  if (name.starts_with("python") && !name.ends_with(".so"))
    return CodeKind::kInterpreter;
  if (Has(path, "/triton/")) return CodeKind::kTriton;
  if (Has(path, "/lib-dynload/") || Has(path, "/cuda/bindings/"))
    return CodeKind::kInterpreter;
  return CodeKind::kLibrary;
}

std::optional<Origin> OriginOnCpu(CodeKind kind) {
  switch (kind) {
    case CodeKind::kOwn:
      return Origin::kOwn;
    case CodeKind::kTriton:
      return Origin::kTriton;
    case CodeKind::kGenerated:
      return Origin::kGenerated;
    case CodeKind::kLibrary:
    case CodeKind::kDriver:
      return Origin::kLibrary;
    case CodeKind::kFramework:
      return Origin::kFramework;
    case CodeKind::kRuntime:
      return std::nullopt;
    case CodeKind::kCore:
    case CodeKind::kBindings:
    case CodeKind::kInterpreter:
    case CodeKind::kOurs:
      break;
  }
  return Origin::kHost;
}

std::optional<Origin> OriginOfLaunch(CodeKind kind) {
  switch (kind) {
    case CodeKind::kOwn:
    case CodeKind::kInterpreter:
      return Origin::kOwn;
    case CodeKind::kTriton:
      return Origin::kTriton;
    case CodeKind::kGenerated:
    case CodeKind::kBindings:  // its launcher of what torch.compile made
      return Origin::kGenerated;
    case CodeKind::kLibrary:
      return Origin::kLibrary;
    case CodeKind::kFramework:
    case CodeKind::kCore:
      return Origin::kFramework;
    case CodeKind::kDriver:
    case CodeKind::kRuntime:
      return std::nullopt;
    case CodeKind::kOurs:
      break;
  }
  return Origin::kHost;
}

bool IsGeneratedName(std::string_view kernel) {
  constexpr std::array<std::string_view, 6> kPrefixes{
      "triton_poi_", "triton_red_", "triton_per_",
      "triton_tem_", "triton_for_", "triton_mix_"};
  return std::ranges::any_of(kPrefixes, [&](std::string_view prefix) {
    return kernel.starts_with(prefix);
  });
}

}  // namespace kb::provenance
