#include <algorithm>
#include <filesystem>
#include <set>

#include "local.h"
#include "os/files.h"
#include "replay_files.h"

namespace kb::llm {
namespace {

using base::Result;
using record::GenerationStatus;

constexpr uint64_t kMaxAnswer = uint64_t{64} << 20;

tl::unexpected<Failure> Exhausted(const Question& question,
                                  const std::string& where) {
  return Failed(Failure::Kind::kExhausted,
                fmt::format("{} has no sample {} of {}{}", where,
                            question.sample, question.problem_id,
                            question.turn == 1 ? std::string()
                                               : fmt::format(" with a turn {}",
                                                             question.turn)));
}

class ReplayFolder : public Provider {
 public:
  ReplayFolder(std::string folder, std::vector<ReplayFile> files)
      : folder_(std::move(folder)), files_(std::move(files)) {}

  std::optional<int64_t> Answers(const std::string& problem_id) const override {
    std::set<std::string> samples;
    for (const ReplayFile& file : files_)
      if (llm::Answers(file, problem_id)) samples.insert(file.sample);
    return std::ssize(samples);
  }

  tl::expected<Reply, Failure> Ask(
      const Question& question,
      const std::function<void(const std::string&)>& /*on_step*/,
      std::stop_token stop) override {
    if (stop.stop_requested())
      return Failed(Failure::Kind::kCancelled, "cancelled");
    std::vector<std::string> samples;  // in the files' order
    for (const ReplayFile& file : files_) {
      if (!llm::Answers(file, question.problem_id)) continue;
      if (std::ranges::find(samples, file.sample) == samples.end())
        samples.push_back(file.sample);
      if (std::ssize(samples) > question.sample &&
          file.sample == samples.at(static_cast<size_t>(question.sample)) &&
          file.turn == question.turn)
        return ReplyFrom(file);
    }
    return Exhausted(question, folder_);
  }

 private:
  tl::expected<Reply, Failure> ReplyFrom(const ReplayFile& file) const {
    const std::string path = fmt::format("{}/{}", folder_, file.path);
    auto text = os::ReadFile(path, kMaxAnswer);
    if (!text) {
      std::error_code unknown;
      const uint64_t bytes = std::filesystem::file_size(path, unknown);
      const bool too_large = !unknown && bytes > kMaxAnswer;
      // Whoever asks again may find it mended.
      return Failed(
          too_large ? Failure::Kind::kUnusable : Failure::Kind::kUnavailable,
          text.error().message());
    }
    Reply reply;
    reply.text = std::move(*text);
    reply.served_model = "replay";
    if (!IsProse(file.path)) reply.file_name = file.path;
    return reply;
  }

  const std::string folder_;
  const std::vector<ReplayFile> files_;
};

Finish FinishOf(GenerationStatus status) {
  if (status == GenerationStatus::kTruncated) return Finish::kLength;
  if (status == GenerationStatus::kRefused) return Finish::kRefused;
  return Finish::kStop;
}

class ReplayRun : public Provider {
 public:
  ReplayRun(std::string run, Recorded recorded)
      : run_(std::move(run)), recorded_(std::move(recorded)) {}

  std::optional<int64_t> Answers(const std::string& problem_id) const override {
    // A question that got no answer leaves a gap.
    constexpr int64_t kLongestGap = 64;
    int64_t count = 0;
    for (int64_t sample = 0; sample < count + kLongestGap; ++sample)
      if (recorded_(problem_id, sample, 1)) count = sample + 1;
    return count;
  }

  tl::expected<Reply, Failure> Ask(
      const Question& question,
      const std::function<void(const std::string&)>& /*on_step*/,
      std::stop_token stop) override {
    if (stop.stop_requested())
      return Failed(Failure::Kind::kCancelled, "cancelled");
    auto generation =
        recorded_(question.problem_id, question.sample, question.turn);
    if (!generation) return Exhausted(question, run_);
    if (generation->status == GenerationStatus::kFailed)
      return Failed(Failure::Kind::kUnusable, generation->reason);
    Reply reply;
    reply.text = std::move(generation->answer);
    reply.reasoning = std::move(generation->reasoning);
    reply.state = std::move(generation->state);
    reply.finish = FinishOf(generation->status);
    reply.served_model = std::move(generation->served_model);
    reply.usage = generation->usage;
    reply.usd = generation->usd;
    reply.seconds = generation->seconds;
    reply.attempts = generation->attempts;
    // An answer that was a file as it is has no fences to be extracted from.
    if (reply.text == generation->source && !reply.text.empty())
      reply.file_name = generation->candidate_name;
    return reply;
  }

 private:
  const std::string run_;
  const Recorded recorded_;
};

}  // namespace

Result<std::unique_ptr<Provider>> MakeReplay(const Model& model,
                                             Recorded recorded) {
  if (recorded)
    return std::make_unique<ReplayRun>(model.replay, std::move(recorded));
  std::error_code ignored;
  if (!std::filesystem::is_directory(model.replay, ignored))
    return base::Usage("model {}: there is no folder or run {} to replay",
                       model.name, model.replay);
  KB_ASSIGN(auto files, ListReplay(model.replay));
  if (files.empty())
    return base::Usage(
        "model {}: the folder {} has no .py, .cu, .cpp, .cc, .md or .txt file "
        "to replay",
        model.name, model.replay);
  return std::make_unique<ReplayFolder>(model.replay, std::move(files));
}

}  // namespace kb::llm
