#include "record/evaluation.h"

#include <utility>

#include "base/hash.h"
#include "base/words.h"
#include "lists.h"
#include "times_json.h"

namespace kb::record {
namespace {

using base::Json;
using base::Result;

constexpr base::Words<Verdict, 10> kVerdicts{{
    {Verdict::kCorrect, "correct"},
    {Verdict::kIncorrect, "incorrect"},
    {Verdict::kCompileError, "compile_error"},
    {Verdict::kLoadError, "load_error"},
    {Verdict::kRuntimeError, "runtime_error"},
    {Verdict::kTimeout, "timeout"},
    {Verdict::kOutOfMemory, "out_of_memory"},
    {Verdict::kRejected, "rejected"},
    {Verdict::kNotCertified, "not_certified"},
    {Verdict::kInfraError, "infra_error"},
}};

Json PositionToJson(const Mismatch::Position& position) {
  return {{"index", position.index},
          {"expected", ToJson(Value{position.expected})},
          {"actual", ToJson(Value{position.actual})}};
}

Result<double> NumberFromJson(const Json& json, const char* key) {
  KB_ASSIGN(const Json tagged, base::Get<Json>(json, key));
  KB_ASSIGN(const Value value, ValueFromJson(tagged));
  if (const auto* number = std::get_if<double>(&value.data)) return *number;
  return base::Fail("field \"{}\" is not a number", key);
}

Result<std::optional<Mismatch::Position>> PositionFromJson(const Json& json,
                                                           const char* key) {
  if (!json.contains(key)) return std::optional<Mismatch::Position>();
  Mismatch::Position position;
  const Json& body = json.at(key);
  KB_ASSIGN(position.index, base::Get<std::vector<int64_t>>(body, "index"));
  KB_ASSIGN(position.expected, NumberFromJson(body, "expected"));
  KB_ASSIGN(position.actual, NumberFromJson(body, "actual"));
  return std::optional(position);
}

template <typename C, typename F>
void VisitDevice(C& facts, F&& field) {
  field("device", facts.device);
  field("name", facts.name);
  field("driver", facts.driver);
  field("torch", facts.torch);
  field("arch", facts.arch);
}

using Status = Judgement::Status;
constexpr base::Words<Status, 10> kStatuses{
    {{Status::kNotSet, "not_set"},
     {Status::kOk, "ok"},
     {Status::kMismatch, "mismatch"},
     {Status::kLoadFailed, "load_failed"},
     {Status::kCallFailed, "call_failed"},
     {Status::kOutOfMemory, "out_of_memory"},
     {Status::kTimeout, "timeout"},
     {Status::kGone, "gone"},
     {Status::kTampering, "tampering"},
     {Status::kNotStarted, "not_started"}}};

constexpr base::Words<Track, 2> kTracks{
    {{Track::kPython, "python"}, {Track::kNative, "native"}}};

constexpr base::Words<Backend, 4> kBackends{{{Backend::kCuda, "cuda"},
                                             {Backend::kTriton, "triton"},
                                             {Backend::kCpp, "cpp"},
                                             {Backend::kTorch, "torch"}}};

Json CandidateToJson(const Candidate& candidate) {
  return {{"name", candidate.name},
          {"path", candidate.path},
          {"hash", candidate.Hash()},
          {"track", TrackName(candidate.track)},
          {"backend", BackendName(candidate.backend)}};
}

void AddFindings(const Evaluation& evaluation, Json* json) {
  AddTimes(evaluation, json);
  (*json)["mismatch"] = OptionalToJson(evaluation.mismatch);
  (*json)["provenance"] = OptionalToJson(evaluation.provenance);
  (*json)["profile"] = OptionalToJson(evaluation.profile);
  (*json)["outside"] = OptionalToJson(evaluation.outside);
  (*json)["trials"] = ListToJson(evaluation.trials);
}

}  // namespace

const char* VerdictName(Verdict verdict) { return kVerdicts.Of(verdict); }

std::optional<Verdict> ParseVerdict(const std::string& name) {
  return kVerdicts.Parse(name);
}

const char* TrackName(Track track) { return kTracks.Of(track); }

std::optional<Track> ParseTrack(const std::string& name) {
  return kTracks.Parse(name);
}

const char* BackendName(Backend backend) { return kBackends.Of(backend); }

std::optional<Backend> ParseBackend(const std::string& name) {
  return kBackends.Parse(name);
}

std::string Candidate::Hash() const {
  return base::KeyBuilder().Add(TrackName(track)).Add(source).Finish();
}

Json ToJson(const Mismatch& mismatch) {
  Json json{{"output", mismatch.output},
            {"structure", mismatch.structure},
            {"elements", mismatch.elements},
            {"wrong", mismatch.wrong},
            {"nonfinite", mismatch.nonfinite},
            {"unwritten", mismatch.unwritten},
            {"max_abs_error", ToJson(Value{mismatch.max_abs_error})},
            {"max_rel_error", ToJson(Value{mismatch.max_rel_error})},
            {"pattern", mismatch.pattern},
            {"seed", mismatch.seed},
            {"inputs", mismatch.inputs}};
  if (mismatch.first) json["first"] = PositionToJson(*mismatch.first);
  if (mismatch.worst) json["worst"] = PositionToJson(*mismatch.worst);
  return json;
}

Result<Mismatch> MismatchFromJson(const Json& json) {
  Mismatch mismatch;
  KB_ASSIGN(mismatch.output, base::Get<int64_t>(json, "output"));
  KB_ASSIGN(mismatch.structure, base::Get<std::string>(json, "structure"));
  KB_ASSIGN(mismatch.elements, base::Get<int64_t>(json, "elements"));
  KB_ASSIGN(mismatch.wrong, base::Get<int64_t>(json, "wrong"));
  KB_ASSIGN(mismatch.nonfinite, base::Get<int64_t>(json, "nonfinite"));
  KB_ASSIGN(mismatch.unwritten, base::Get<int64_t>(json, "unwritten"));
  KB_ASSIGN(mismatch.max_abs_error, NumberFromJson(json, "max_abs_error"));
  KB_ASSIGN(mismatch.max_rel_error, NumberFromJson(json, "max_rel_error"));
  KB_ASSIGN(mismatch.pattern, base::Get<std::string>(json, "pattern"));
  KB_ASSIGN(mismatch.seed, base::Get<uint64_t>(json, "seed"));
  // Kept in stores, some of which are older than the field.
  if (json.contains("inputs")) {
    KB_ASSIGN(mismatch.inputs, base::Get<std::string>(json, "inputs"));
  }
  KB_ASSIGN(mismatch.first, PositionFromJson(json, "first"));
  KB_ASSIGN(mismatch.worst, PositionFromJson(json, "worst"));
  return mismatch;
}

Json ToJson(const Judgement& judgement) {
  Json trials = Json::array();
  for (const Trial& trial : judgement.trials) trials.push_back(ToJson(trial));
  Json json{{"status", kStatuses.Of(judgement.status)},
            {"text", judgement.text},
            {"limit_s", judgement.limit_s},
            {"loaded", judgement.loaded},
            {"trials", std::move(trials)},
            {"atol", judgement.tolerance.atol},
            {"rtol", judgement.tolerance.rtol},
            {"notes", judgement.notes}};
  if (judgement.mismatch) json["mismatch"] = ToJson(*judgement.mismatch);
  if (judgement.ruler) json["ruler"] = ToJson(*judgement.ruler);
  if (judgement.provenance) json["provenance"] = ToJson(*judgement.provenance);
  if (judgement.activity) json["activity"] = ToJson(*judgement.activity);
  if (judgement.yardstick) json["yardstick"] = ToJson(*judgement.yardstick);
  json["no_activity"] = judgement.no_activity;
  json["distributions"] = ListToJson(judgement.distributions);
  json["no_provenance"] = judgement.no_provenance;
  json["observer_failed"] = judgement.observer_failed;
  json["spent"] = ToJson(judgement.spent);
  return json;
}

Result<Judgement> JudgementFromJson(const Json& json) {
  Judgement judgement;
  KB_ASSIGN(const std::string status, base::Get<std::string>(json, "status"));
  const auto known = kStatuses.Parse(status);
  if (!known) return base::Fail("unknown status \"{}\"", status);
  judgement.status = *known;
  KB_ASSIGN(judgement.text, base::Get<std::string>(json, "text"));
  KB_ASSIGN(judgement.limit_s, base::Get<double>(json, "limit_s"));
  KB_ASSIGN(judgement.loaded, base::Get<bool>(json, "loaded"));
  KB_ASSIGN(judgement.tolerance.atol, base::Get<double>(json, "atol"));
  KB_ASSIGN(judgement.tolerance.rtol, base::Get<double>(json, "rtol"));
  KB_ASSIGN(judgement.notes,
            base::Get<std::vector<std::string>>(json, "notes"));
  KB_ASSIGN(const Json trials, base::Get<Json>(json, "trials"));
  if (!trials.is_array()) return base::Fail("field \"trials\": no list");
  for (const Json& item : trials) {
    KB_ASSIGN(Trial trial, TrialFromJson(item));
    judgement.trials.push_back(trial);
  }
  if (json.contains("mismatch")) {
    KB_ASSIGN(judgement.mismatch, MismatchFromJson(json.at("mismatch")));
  }
  if (json.contains("ruler")) {
    KB_ASSIGN(judgement.ruler, RulerFromJson(json.at("ruler")));
  }
  if (json.contains("provenance")) {
    KB_ASSIGN(judgement.provenance, ProvenanceFromJson(json.at("provenance")));
  }
  if (json.contains("activity")) {
    KB_ASSIGN(judgement.activity, ActivityFromJson(json.at("activity")));
  }
  if (json.contains("yardstick")) {
    KB_ASSIGN(judgement.yardstick, YardstickFromJson(json.at("yardstick")));
  }
  KB_ASSIGN(judgement.no_activity, base::Get<std::string>(json, "no_activity"));
  KB_ASSIGN(
      judgement.distributions,
      ListFromJson<Outside::Case>(json, "distributions", OutsideCaseFromJson));
  KB_ASSIGN(judgement.no_provenance,
            base::Get<std::string>(json, "no_provenance"));
  KB_ASSIGN(judgement.observer_failed,
            base::Get<bool>(json, "observer_failed"));
  KB_ASSIGN(const Json spent, base::Get<Json>(json, "spent"));
  KB_ASSIGN(judgement.spent, SpentFromJson(spent));
  return judgement;
}

Json ToJson(const DeviceFacts& facts) {
  Json json = Json::object();
  VisitDevice(facts, [&](const char* name, const auto& x) { json[name] = x; });
  return json;
}

Result<DeviceFacts> DeviceFactsFromJson(const Json& json) {
  DeviceFacts facts;
  try {
    VisitDevice(facts,
                [&](const char* name, auto& x) { json.at(name).get_to(x); });
  } catch (const nlohmann::json::exception& e) {
    return base::Fail("device: {}", e.what());
  }
  return facts;
}

Json ToJson(const Evaluation& evaluation) {
  Json json{
      {"problem", evaluation.problem_id},
      {"problem_hash", evaluation.problem_hash},
      {"candidate", CandidateToJson(evaluation.candidate)},
      {"model", evaluation.model},
      {"sample", evaluation.sample},
      {"turn", evaluation.turn},
      {"confirms", evaluation.confirms},
      {"verdict", evaluation.verdict ? Json(VerdictName(*evaluation.verdict))
                                     : Json(nullptr)},
      {"reason", evaluation.reason},
      {"log", evaluation.log},
      {"notes", evaluation.notes},
      {"checked", evaluation.checked},
      {"unchecked", evaluation.unchecked},
      {"interpreted", evaluation.interpreted},
      {"size", SizeName(evaluation.size)},
      {"precision", PrecisionName(evaluation.precision)},
      {"isolation", evaluation.isolation},
      {"version", evaluation.version},
      {"device", ToJson(evaluation.device)},
      {"policy", ToJson(evaluation.policy)},
      {"compile_seconds", evaluation.compile_seconds},
      {"compile_cached", evaluation.compile_cached},
      {"wall_seconds", evaluation.wall_seconds},
      {"started_at", evaluation.started_at}};
  AddFindings(evaluation, &json);
  if (evaluation.sizes) json["sizes"] = ToJson(*evaluation.sizes);
  return json;
}

}  // namespace kb::record
