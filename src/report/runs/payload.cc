#include "payload.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/json.h"
#include "base/text.h"
#include "conversation.h"
#include "deflate.h"
#include "detail.h"
#include "html/base64.h"
#include "html/html.h"
#include "html/text.h"

namespace kb::report {
namespace {

using base::Json;

constexpr size_t kMaxSource = 256 << 10;
constexpr size_t kMaxAnswer = 64 << 10;
// Of what there is place for, what details leave to conversations.
constexpr size_t kConversationShare = 3;
// After so many candidates that found no place the rest is not tried.
constexpr size_t kMaxRefusals = 20;

// The objects of the array, and which texts are in it already.
class Writer {
 public:
  explicit Writer(size_t max_bytes) : deflater_(max_bytes) {}

  void Allow(size_t max_bytes) { deflater_.Allow(max_bytes); }

  // The id of a text that the next part refers to, which comes after it unless
  // it is there already.
  size_t Refer(const std::string& text) {
    const auto [known, is_new] = texts_.try_emplace(text, texts_.size());
    if (is_new) fresh_.push_back(known->first);
    return known->second;
  }

  // A part with the texts it refers to. All or nothing.
  bool Add(const Json& json) {
    std::string text =
        fmt::format("{}{}", empty_ ? "[" : ",", base::DumpJson(json));
    for (const std::string& each : fresh_) {
      const Json part{{"part", "source"},
                      {"id", texts_.at(each)},
                      {"text", html::Visible(base::Shorten(each, kMaxSource))}};
      text += fmt::format(",{}", base::DumpJson(part));
    }
    const bool fits = deflater_.Add(text);
    if (fits) empty_ = false;
    if (!fits)
      for (const std::string& each : fresh_) texts_.erase(each);
    fresh_.clear();
    return fits;
  }

  std::string Finish() {
    return html::Base64(deflater_.Finish(empty_ ? "[]" : "]"));
  }

 private:
  Deflater deflater_;
  std::unordered_map<std::string, size_t> texts_;
  std::vector<std::string> fresh_;  // of the next part
  bool empty_ = true;
};

Json NamesJson(const Book& book) {
  Json runs = Json::array();
  for (const BookRun& run : book.runs)
    runs.push_back({{"name", html::Cell(run.name)}});
  Json problems = Json::array();
  for (const BookProblem& problem : book.problems)
    problems.push_back({html::Cell(problem.id), html::Cell(problem.name)});
  Json verdicts = Json::array();
  for (size_t category = 0; category < kCategories; ++category)
    verdicts.push_back({CategoryName(category), CategoryStyle(category)});
  Json json{{"part", "book"},
            {"baseline", html::Cell(book.baseline)},
            {"runs", runs},
            {"problems", problems},
            {"verdicts", verdicts}};
  if (book.roofline)
    json["roofline"] = {{"name", html::Cell(book.roofline->name)},
                        {"bandwidth", Rounded(book.roofline->bandwidth_gbps)},
                        {"tflops", Rounded(book.roofline->tflops)},
                        {"precision", html::Cell(book.roofline->precision)},
                        {"measured", book.roofline->measured}};
  if (book.data_sheet)
    json["roofline"]["sheet"] = {
        {"bandwidth", Rounded(book.data_sheet->bandwidth_gbps)},
        {"tflops", Rounded(book.data_sheet->tflops)}};
  return json;
}

// The listed samples, one list per column.
Json RowsJson(const Book& book, const Digest& digest) {
  Json json{{"part", "rows"}};
  for (const size_t i : digest.listed) {
    const BookSample& sample = book.samples[i];
    const record::Outcome& outcome = sample.outcome;
    json["index"].push_back(i);
    json["run"].push_back(sample.run);
    json["problem"].push_back(sample.problem);
    json["sample"].push_back(outcome.sample);
    json["name"].push_back(html::Cell(outcome.candidate_name));
    json["verdict"].push_back(CategoryOf(outcome));
    json["speedup"].push_back(
        Rounded(SpeedupOf(sample).value_or(std::nan(""))));
    json["wall"].push_back(
        Rounded(outcome.wall_speedup.value_or(std::nan(""))));
    json["wall_us"].push_back(
        Rounded(outcome.candidate_wall_us.value_or(std::nan(""))));
    json["us"].push_back(Rounded(outcome.candidate_us.value_or(std::nan(""))));
    json["usd"].push_back(Rounded(outcome.usd.value_or(std::nan(""))));
    json["reason"].push_back(html::Cell(outcome.reason));
  }
  return json;
}

Json TalliesJson(const Digest& digest) {
  Json samples = Json::array();
  for (const std::vector<Tally>& of_problem : digest.tallies) {
    Json counts = Json::array();
    for (const Tally& tally : of_problem) counts.push_back(tally.samples);
    samples.push_back(counts);
  }
  return {{"part", "tallies"}, {"samples", samples}};
}

// Not where it is the code and nothing else.
void AddAnswer(const Book& book, size_t detail, Json* json) {
  if (detail >= book.answers.size()) return;
  const std::string& answer = book.answers[detail];
  if (!answer.empty() && answer != book.details[detail].candidate.source)
    (*json)["answer"] = html::Visible(base::Shorten(answer, kMaxAnswer));
}

void AddDetails(const Book& book, const Digest& digest, Writer* writer,
                Payload* payload) {
  size_t refusals = 0;
  for (const size_t i : digest.important) {
    const BookSample& sample = book.samples[i];
    if (!sample.detail || refusals >= kMaxRefusals) continue;
    const record::Evaluation& evaluation = book.details[*sample.detail];
    Json json = DetailJson(book.runs[sample.run], sample, evaluation);
    AddAnswer(book, *sample.detail, &json);
    json["part"] = "detail";
    json["index"] = i;
    json["source"] = writer->Refer(evaluation.candidate.source);
    if (writer->Add(json))
      ++payload->details;
    else
      ++refusals;
  }
}

void AddConversations(const Book& book, Writer* writer, Payload* payload) {
  size_t index = 0;
  for (size_t run = 0; run < book.runs.size(); ++run)
    for (size_t i = 0; i < book.runs[run].conversations.size(); ++i) {
      Json json =
          ConversationJson(book, run, i, [writer](const std::string& text) {
            return writer->Refer(base::Shorten(text, kMaxAnswer));
          });
      json["index"] = index++;
      if (writer->Add(json))
        ++payload->conversations;
      else
        ++payload->conversations_left_out;
    }
}

}  // namespace

Payload MakePayload(const Book& book, const Digest& digest, size_t max_bytes) {
  Payload payload;
  const size_t packed = max_bytes / 4 * 3;
  Writer writer(packed);
  if (writer.Add(NamesJson(book)) && writer.Add(RowsJson(book, digest)) &&
      writer.Add(TalliesJson(digest))) {
    for (size_t i = 0; i < book.problems.size(); ++i) {
      Json json = ProblemJson(book.problems[i]);
      json["part"] = "problem";
      json["index"] = i;
      Json whole = json;
      whole["source"] = writer.Refer(book.problems[i].source);
      if (!writer.Add(whole)) writer.Add(json);
    }
    const bool has_searches = std::ranges::any_of(
        book.runs, [](const BookRun& run) { return !run.searches.empty(); });
    if (has_searches) writer.Allow(packed - packed / kConversationShare);
    AddDetails(book, digest, &writer, &payload);
    writer.Allow(packed);
    AddConversations(book, &writer, &payload);
  }
  // Those without a row as well: nothing leads to them.
  for (const BookSample& sample : book.samples)
    payload.left_out += sample.detail ? 1 : 0;
  payload.left_out -= payload.details;
  payload.base64 = writer.Finish();
  return payload;
}

}  // namespace kb::report
